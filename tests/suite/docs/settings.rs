//! Configuration in pages is parsed like the program does.

use aitc::config::{ConfigSource, parse};

/// The error of a configuration file of a `project` or a `user`.
pub fn fault(whose: &str, text: &str) -> Option<String> {
    let path = "config.yaml".to_owned();
    let source = match whose {
        "project" => ConfigSource::Project {
            user_file: path.clone(),
            path,
        },
        _ => ConfigSource::User { path },
    };
    parse(text, &source).err().map(|error| error.to_string())
}
