//! Notices new role, template and demo files, which `rust-embed` by itself would miss.

fn main() {
    println!("cargo::rerun-if-changed=roles");
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=fixtures/demo");
}
