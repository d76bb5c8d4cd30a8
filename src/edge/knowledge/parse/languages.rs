//! Maps nodes of each grammar to definitions, and says which nodes contain further definitions.

use tree_sitter::Node;

use super::DefKind;

/// Maximum length of a name in characters.
const MAX_NAME: usize = 120;

/// A language with a grammar. Each grammar makes the program larger, so one is shared where it also
/// parses another language: that of C++ parses C, that of TSX JavaScript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    Python,
    TypeScript,
    Tsx,
    Go,
    Java,
    Cpp,
    Ruby,
    Php,
    #[cfg(feature = "csharp")]
    CSharp,
}

impl Language {
    /// The language for the extension of a path.
    pub fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (_, ending) = name.rsplit_once('.')?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "rs" => Self::Rust,
            "py" | "pyi" => Self::Python,
            "ts" | "mts" | "cts" => Self::TypeScript,
            "tsx" | "js" | "jsx" | "mjs" | "cjs" => Self::Tsx,
            "go" => Self::Go,
            "java" => Self::Java,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" => Self::Cpp,
            "rb" | "rake" | "gemspec" => Self::Ruby,
            "php" => Self::Php,
            #[cfg(feature = "csharp")]
            "cs" => Self::CSharp,
            _ => return None,
        })
    }

    pub fn grammar(self) -> tree_sitter::Language {
        match self {
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
            Self::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            Self::Ruby => tree_sitter_ruby::LANGUAGE.into(),
            Self::Php => tree_sitter_php::LANGUAGE_PHP.into(),
            #[cfg(feature = "csharp")]
            Self::CSharp => tree_sitter_c_sharp::LANGUAGE.into(),
        }
    }

    /// The definition of a node: kind, name, and the node of the name.
    pub fn defined<'t>(self, node: Node<'t>, text: &str) -> Option<(DefKind, String, Node<'t>)> {
        let (kind, named) = match self {
            Self::Go => go(node)?,
            Self::Cpp => cpp(node)?,
            Self::TypeScript | Self::Tsx => script(node)?,
            _ => (self.kind(node.kind())?, name_of(node)?),
        };
        let name = text.get(named.byte_range())?;
        // Without type parameters.
        let name = name.split('<').next().unwrap_or(name).trim();
        let name: String = name.chars().take(MAX_NAME).collect();
        let name = match (self, receiver(node, text)) {
            (Self::Go, Some(receiver)) => format!("{receiver}.{name}"),
            _ => name,
        };
        let fits = !name.is_empty() && !name.contains('\n');
        fits.then_some((kind, name, named))
    }

    /// Whether the node only wraps a single definition.
    pub fn wraps(self, kind: &str) -> bool {
        matches!(
            kind,
            "decorated_definition"
                | "export_statement"
                | "ambient_declaration"
                | "template_declaration"
        )
    }

    /// Whether the node may directly contain several definitions.
    pub fn passes(self, kind: &str) -> bool {
        let is_body = kind.ends_with("_body")
            || kind.ends_with("declaration_list")
            || kind.ends_with("body_declarations");
        let more: &[&str] = match self {
            Self::Rust => &["foreign_mod_item"],
            Self::Python => &[
                "block",
                "if_statement",
                "else_clause",
                "try_statement",
                "except_clause",
            ],
            Self::TypeScript | Self::Tsx => &["expression_statement", "statement_block"],
            Self::Cpp => &[
                "linkage_specification",
                "preproc_if",
                "preproc_ifdef",
                "preproc_else",
                "preproc_elif",
            ],
            Self::Ruby => &["body_statement"],
            Self::Php => &["namespace_definition", "compound_statement"],
            _ => &[],
        };
        is_body || more.contains(&kind)
    }

    fn kind(self, kind: &str) -> Option<DefKind> {
        Some(match (self, kind) {
            (Self::Rust, "function_item" | "function_signature_item")
            | (Self::Python, "function_definition")
            | (Self::Ruby, "method" | "singleton_method")
            | (Self::Php, "function_definition")
            | (_, "method_declaration" | "constructor_declaration") => DefKind::Function,
            (Self::Rust, "struct_item" | "enum_item" | "union_item")
            | (Self::Python, "class_definition")
            | (Self::Ruby, "class")
            | (
                _,
                "class_declaration" | "enum_declaration" | "record_declaration"
                | "struct_declaration",
            ) => DefKind::Class,
            (Self::Rust, "trait_item")
            | (_, "interface_declaration" | "annotation_type_declaration" | "trait_declaration") => {
                DefKind::Interface
            }
            (Self::Rust, "impl_item") => DefKind::Impl,
            (Self::Rust, "mod_item") | (Self::Ruby, "module") | (_, "namespace_declaration") => {
                DefKind::Module
            }
            (Self::Rust, "type_item") | (_, "delegate_declaration") => DefKind::Type,
            (Self::Rust, "const_item" | "static_item") | (_, "property_declaration") => {
                DefKind::Constant
            }
            (Self::Rust, "macro_definition") => DefKind::Macro,
            _ => return None,
        })
    }
}

fn name_of(node: Node<'_>) -> Option<Node<'_>> {
    // An `impl` is named after its type.
    let name = node.child_by_field_name("name");
    name.or_else(|| node.child_by_field_name("type"))
}

fn child_of<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor);
    children.find(|child| kinds.contains(&child.kind()))
}

fn go(node: Node<'_>) -> Option<(DefKind, Node<'_>)> {
    let of_spec = |kind, specs: &[&str]| {
        let spec = child_of(node, specs)?;
        // Several constants or variables may be declared in one list.
        let spec = child_of(spec, specs).unwrap_or(spec);
        Some((kind, spec.child_by_field_name("name")?))
    };
    match node.kind() {
        "function_declaration" | "method_declaration" => Some((DefKind::Function, name_of(node)?)),
        "type_declaration" => of_spec(DefKind::Class, &["type_spec", "type_alias"]),
        "const_declaration" => of_spec(DefKind::Constant, &["const_spec"]),
        "var_declaration" => of_spec(DefKind::Constant, &["var_spec", "var_spec_list"]),
        _ => None,
    }
}

/// The receiver type of a Go method.
fn receiver<'a>(node: Node<'_>, text: &'a str) -> Option<&'a str> {
    let receiver = node.child_by_field_name("receiver")?;
    let text = text.get(receiver.byte_range())?;
    let text = text.trim_matches(|c: char| "()".contains(c) || c.is_whitespace());
    let name = text.split(['[', ')']).next()?.split_whitespace().last()?;
    Some(name.trim_start_matches('*'))
}

/// C and C++: the name is at the end of a chain of declarators.
fn cpp(node: Node<'_>) -> Option<(DefKind, Node<'_>)> {
    let named = |kind| Some((kind, node.child_by_field_name("name")?));
    let whole = |node: Node<'_>| node.child_by_field_name("body").is_some();
    match node.kind() {
        "function_definition" => Some((DefKind::Function, declared(node)?.0)),
        "namespace_definition" => named(DefKind::Module),
        "preproc_def" | "preproc_function_def" => named(DefKind::Macro),
        "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier"
            if whole(node) =>
        {
            named(DefKind::Class)
        }
        "type_definition" => Some((DefKind::Type, declared(node)?.0)),
        "alias_declaration" => named(DefKind::Type),
        "declaration" => match declared(node)? {
            (name, true) => Some((DefKind::Function, name)),
            (name, false) => Some((DefKind::Constant, name)),
        },
        _ => None,
    }
}

/// The name at the end of a declaration, and whether it is a function's.
fn declared(node: Node<'_>) -> Option<(Node<'_>, bool)> {
    let mut is_function = false;
    let mut at = node.child_by_field_name("declarator")?;
    for _ in 0..MAX_NAME {
        is_function |= at.kind() == "function_declarator";
        let inner = at.child_by_field_name("declarator").or_else(|| {
            let kinds = ["function_declarator", "identifier", "qualified_identifier"];
            matches!(
                at.kind(),
                "reference_declarator" | "parenthesized_declarator"
            )
            .then(|| child_of(at, &kinds))
            .flatten()
        });
        match inner {
            Some(inner) => at = inner,
            None => return Some((at, is_function)),
        }
    }
    None
}

/// JavaScript and TypeScript: a variable may hold a function or class.
fn script(node: Node<'_>) -> Option<(DefKind, Node<'_>)> {
    let kind = match node.kind() {
        "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "method_definition"
        | "abstract_method_signature" => DefKind::Function,
        "class_declaration" | "abstract_class_declaration" | "enum_declaration" => DefKind::Class,
        "interface_declaration" => DefKind::Interface,
        "type_alias_declaration" => DefKind::Type,
        "internal_module" | "module" => DefKind::Module,
        "lexical_declaration" | "variable_declaration" => {
            let one = child_of(node, &["variable_declarator"])?;
            let value = one
                .child_by_field_name("value")
                .map_or("", |value| value.kind());
            let kind = match value {
                "arrow_function" | "function_expression" | "generator_function" => {
                    DefKind::Function
                }
                "class" => DefKind::Class,
                _ => DefKind::Constant,
            };
            let name = one.child_by_field_name("name")?;
            return (name.kind() == "identifier").then_some((kind, name));
        }
        _ => return None,
    };
    Some((kind, node.child_by_field_name("name")?))
}
