//! A program as C text, as written by hand: one variable per operation, a return at the first false constraint.

use search::ir::{Id, IrNode, OpCode, Program};
use search::types::{NativeFormat, Ty, mask};
use std::fmt::Write;

/// Returns the whole C program: it reads the inputs from a given file and prints the best times of both forms.
///
/// # Errors
/// An operation without C code.
pub fn program(program: &Program, size: usize, inputs: usize, rounds: usize, repeats: usize) -> Result<String, OpCode> {
    let mut text = String::from(
        "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n#include <time.h>\n\
         static inline double d(uint64_t b){double x;memcpy(&x,&b,8);return x;}\n\
         static inline float f(uint32_t b){float x;memcpy(&x,&b,4);return x;}\n\
         static inline uint64_t bd(double x){uint64_t b;memcpy(&b,&x,8);return b;}\n\
         static inline uint64_t bf(float x){uint32_t b;memcpy(&b,&x,4);return b;}\n",
    );
    for (name, is_first) in [("first", true), ("all", false)] {
        let _ = writeln!(text, "static __attribute__((noinline)) uint64_t {name}(const uint8_t*in){{uint64_t n=0;");
        let mut done = 0;
        for (number, constraint) in program.constraints.iter().enumerate() {
            for id in done..constraint.end {
                operation(program, id, &mut text)?;
            }
            done = constraint.end;
            let _ = match is_first {
                true => writeln!(text, "if(!v{})return {number};", constraint.truth),
                false => writeln!(text, "n+=v{};", constraint.truth),
            };
        }
        let _ = writeln!(text, "return n;}}");
    }
    let _ = writeln!(
        text,
        "static uint64_t sink;\n\
         static double now(void){{struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return t.tv_sec+t.tv_nsec*1e-9;}}\n\
         static double best(uint64_t(*volatile run)(const uint8_t*),const uint8_t*in){{double least=1e9;\n\
         for(int k=0;k<{repeats};k++){{double s=now();for(int r=0;r<{rounds};r++)for(int i=0;i<{inputs};i++)sink+=run(in+(size_t)i*{size});\n\
         double e=now()-s;if(e<least)least=e;}}return least;}}\n\
         int main(int c,char**v){{FILE*h=fopen(v[1],\"rb\");uint8_t*in=malloc((size_t){size}*{inputs});\n\
         if(!h||fread(in,{size},{inputs},h)!={inputs})return 1;\n\
         printf(\"%.9f \",best(first,in));printf(\"%.9f\\n\",best(all,in));return (int)(sink&1)*0;}}"
    );
    Ok(text)
}

fn c_type(ty: Ty) -> &'static str {
    match (ty, ty.native()) {
        (_, Some(NativeFormat::Single)) => "float",
        (_, Some(NativeFormat::Double)) => "double",
        (Ty::Bool, _) => "int",
        _ => "uint64_t",
    }
}

fn operation(program: &Program, id: Id, text: &mut String) -> Result<(), OpCode> {
    let node = program.nodes[id as usize];
    let value = expression(program, &node)?;
    let _ = writeln!(text, "{} v{id}={value};", c_type(node.ty));
    Ok(())
}

fn expression(program: &Program, node: &IrNode) -> Result<String, OpCode> {
    use OpCode::*;
    let [a, b, c, _] = node.args;
    let all = mask(node.ty.width().min(64));
    let bits = |id: Id| match program.ty(id).native() {
        Some(NativeFormat::Single) => format!("bf(v{id})"),
        Some(NativeFormat::Double) => format!("bd(v{id})"),
        None => format!("v{id}"),
    };
    if node.ty.is_wide() {
        return Err(node.code);
    }
    Ok(match node.code {
        Input => {
            let slot = program.layout.slots()[node.imm as usize];
            let (byte, shift) = (slot.offset / 8, slot.offset % 8);
            let load = format!("(*(const uint64_t*)(in+{byte})>>{shift})");
            match node.ty.native() {
                Some(NativeFormat::Single) if shift == 0 => format!("*(const float*)(in+{byte})"),
                Some(NativeFormat::Double) if shift == 0 => format!("*(const double*)(in+{byte})"),
                None if shift + u64::from(slot.ty.width()) <= 64 => format!("{load}&{all}ull"),
                _ => return Err(node.code),
            }
        }
        Const => match node.ty.native() {
            Some(NativeFormat::Single) => format!("f({}u)", node.imm),
            Some(NativeFormat::Double) => format!("d({}ull)", node.imm),
            None => format!("{}ull", node.imm),
        },
        Ite => format!("v{a}?v{b}:v{c}"),
        Not if node.ty == Ty::Bool => format!("!v{a}"),
        Not => format!("~v{a}&{all}ull"),
        And => format!("v{a}&v{b}"),
        Or => format!("v{a}|v{b}"),
        Xor => format!("v{a}^v{b}"),
        Eq => format!("v{a}==v{b}"),
        Add => format!("(v{a}+v{b})&{all}ull"),
        Sub => format!("(v{a}-v{b})&{all}ull"),
        Mul => format!("(v{a}*v{b})&{all}ull"),
        Ult => format!("v{a}<v{b}"),
        Ule => format!("v{a}<=v{b}"),
        Concat => format!("v{a}<<{}|v{b}", node.imm),
        Extract => format!("(v{a}>>{})&{all}ull", node.imm),
        Same => format!("v{a}"),
        FAdd => format!("v{a}+v{b}"),
        FSub => format!("v{a}-v{b}"),
        FMul => format!("v{a}*v{b}"),
        FDiv => format!("v{a}/v{b}"),
        FSqrt if node.ty.native() == Some(NativeFormat::Single) => format!("sqrtf(v{a})"),
        FSqrt => format!("sqrt(v{a})"),
        FNeg => format!("-v{a}"),
        FAbs => format!("fabs(v{a})"),
        FLt => format!("v{a}<v{b}"),
        FLe => format!("v{a}<=v{b}"),
        FEq => format!("v{a}==v{b}"),
        FSame => format!("{}=={}|(v{a}!=v{a}&v{b}!=v{b})", bits(a), bits(b)),
        FIsNan => format!("v{a}!=v{a}"),
        FIsInfinite => format!("!!isinf(v{a})"),
        FIsZero => format!("v{a}==0"),
        FPromote => format!("v{a}"),
        FDemote => format!("(float)v{a}"),
        FFromBits if node.ty.native() == Some(NativeFormat::Single) => format!("f((uint32_t)v{a})"),
        FFromBits => format!("d(v{a})"),
        other => return Err(other),
    })
}
