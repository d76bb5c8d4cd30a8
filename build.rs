//! Notices new role and template files, which `rust-embed` by itself would miss.

fn main() {
    println!("cargo::rerun-if-changed=roles");
    println!("cargo::rerun-if-changed=templates");
}
