//! The map of generated trees: time and memory.

use std::fs;
use std::path::Path;

use crate::ms;
use crate::program::Sandbox;

const REQUIREMENT: &str = "Export the invoices of a customer as CSV, filtered by country";

/// `aitc brief` on trees of three sizes: the first map, and a second one, which finds the
/// outlines of the first in the cache.
pub fn measure() {
    for files in [1_000, 10_000, 50_000] {
        let sandbox = Sandbox::new();
        make(&sandbox.work(), files);
        let [first, second] = [(); 2].map(|()| sandbox.watch(&["brief", REQUIREMENT]));
        println!(
            "map of {files} files: first {:.0} ms and {:.0} MB, second {:.0} ms and {:.0} MB",
            ms(first.wall),
            first.peak_kib as f64 / 1024.0,
            ms(second.wall),
            second.peak_kib as f64 / 1024.0,
        );
    }
}

/// Files of four languages, about 3 KB each, 50 in a folder, with words drawn from a list by the
/// file's number.
fn make(root: &Path, files: usize) {
    const WORDS: [&str; 24] = [
        "invoice", "customer", "country", "export", "import", "filter", "row", "table", "session",
        "token", "cache", "index", "writer", "reader", "parse", "render", "price", "tax", "order",
        "stock", "mail", "queue", "retry", "limit",
    ];
    let word = |n: usize| WORDS[(n * 7 + n / 24 * 5 + n / 576) % WORDS.len()];
    for n in 0..files {
        let folder = root.join(format!("src/{}{}/{}", word(n / 50), n / 1_000, n / 50));
        let lines = (0..20).map(|at| {
            let (a, b, c) = (word(n + at), word(n * 3 + at), word(n / 2 + at * 5));
            match n % 4 {
                0 => format!("/// The {a} of a {b}.\npub fn {a}_{b}_{at}({c}: u32) -> u32 {{\n    let {a} = {c} + {at};\n    {a} * {n}\n}}\n\n"),
                1 => format!("def {a}_{b}_{at}({c}):\n    \"\"\"The {a} of a {b}.\"\"\"\n    {a} = {c} + {at}\n    return {a} * {n}\n\n\n"),
                2 => format!("// The {a} of a {b}.\nexport function {a}{at}({c}: number) {{\n  const {b} = {c} + {at}\n  return {b} * {n}\n}}\n\n"),
                _ => format!("// {a}{at} is the {a} of a {b}.\nfunc {a}{at}({c} int) int {{\n\t{b} := {c} + {at}\n\treturn {b} * {n}\n}}\n\n"),
            }
        });
        let ending = ["rs", "py", "ts", "go"][n % 4];
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{}_{n}.{ending}", word(n)));
        fs::write(path, lines.collect::<String>()).unwrap();
    }
}
