//! `aitc config`, profiles, variables, and the conventions of the environment.

use super::{Sandbox, status};

#[test]
fn the_schema_is_the_published_one() {
    let sandbox = Sandbox::new();
    for (arguments, file) in [
        (&["config", "schema"][..], "config.schema.json"),
        (&["config", "schema", "--user"], "user-config.schema.json"),
    ] {
        let output = sandbox.command(arguments).output().unwrap();
        let path = format!("{}/schemas/{file}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("AITC_BLESS").is_some() {
            std::fs::write(&path, &output.stdout).unwrap();
        }
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(
            std::fs::read_to_string(&path).unwrap() == printed,
            "{file} is not what is printed: {printed}"
        );
    }
}

/// Colour is an escape sequence on stderr; `plan --rounds 0` would end before any.
#[test]
fn colour_follows_the_conventions() {
    type Case = (
        &'static [(&'static str, &'static str)],
        &'static [&'static str],
        bool,
    );
    let cases: [Case; 8] = [
        (&[], &[], false),
        (&[("CLICOLOR_FORCE", "1")], &[], true),
        (&[("CLICOLOR_FORCE", "0")], &[], false),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[], false),
        (&[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], &[], false),
        (&[("CLICOLOR_FORCE", "1")], &["--color", "never"], false),
        (&[("NO_COLOR", "1")], &["--color", "always"], true),
        (&[("CLICOLOR_FORCE", "1")], &["--plain"], false),
    ];
    for (variables, flags, colour) in cases {
        let sandbox = Sandbox::new();
        let line = ["plan", "Export the list as CSV", "--questions", "assume"];
        let mut command = sandbox.command(&[&line[..], flags].concat());
        command.envs(variables.iter().copied());
        let block = sandbox.block(command);
        assert_eq!(status(&block), "0", "{block}");
        assert_eq!(block.contains('\u{1b}'), colour, "{variables:?} {flags:?}");
    }
}
