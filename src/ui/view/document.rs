//! A final document as a page of the terminal.

use serde_json::Value;

use super::{Style, markdown};
use crate::artifact::document_markdown;
use crate::reply::DocumentKind;

/// A final document as a page for the terminal; keys are not translated.
pub fn document_page(kind: DocumentKind, content: &Value, style: &Style) -> String {
    markdown(&document_markdown(kind, content, style.lang), style)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ui::view::samples;

    #[test]
    fn a_document_is_read_from_top_to_bottom() {
        let content = json!({
            "v": 1, "document": "system_design", "version": 2, "status": "agreed",
            "written_by": "ledger",
            "architecture": "The work starts in `src/export.rs`.\nIt is *not* markup.",
            "modules": [
                {"id": "M-1", "same_as": null, "name": "Writer 写入", "purpose": "Turns rows into a file", "covers": ["AC-1", "AC-2"], "empty": []},
            ],
            "decisions": [
                {"id": "DEC-1", "title": "Where", "choice": "Beside it", "rejected": [{"option": "Spread", "why": "hard to find"}]},
            ],
            "order": ["W-1", "W-2"],
            "diagram": {"kind": "flow", "arrows": [
                {"source": "a", "target": "b *c*", "label": "d"},
                {"source": "b *c*", "target": "a", "label": ""},
            ]},
            "nothing": null,
        });
        let style = Style {
            width: 60,
            ..samples::style()
        };
        insta::assert_snapshot!(
            "document_page",
            document_page(DocumentKind::SystemDesign, &content, &style)
        );
    }

    #[test]
    fn what_is_no_document_is_an_empty_page() {
        let page = document_page(DocumentKind::DevPlan, &json!([1]), &samples::style());
        assert_eq!(page, "development plan");
    }
}
