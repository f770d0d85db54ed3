//! Makes cargo look at the seeds folder: what is embedded must be what is there.

fn main() {
    println!("cargo::rerun-if-changed=../../seeds");
}
