//! Makes cargo watch the seeds folder, since its files are embedded.

fn main() {
    println!("cargo::rerun-if-changed=../../seeds");
}
