//! Draws the diagram of a design as SVG: a flow chart in layers, a sequence in columns. Colours
//! come from the style sheet.

use std::fmt::Write as _;

use minijinja::HtmlEscape;

use crate::artifact::Drawing;
use crate::reply::{Diagram, DiagramKind};

/// Height of a line of text; all lengths are in pixels unless stated otherwise.
const LINE: f64 = 19.0;
/// Width of a Latin letter.
const LETTER: f64 = 7.7;
/// Space between a text and its border.
const PAD: f64 = 12.0;
/// Space between neighbours.
const APART: f64 = 28.0;
/// Space between layers.
const DEEP: f64 = 56.0;
/// Maximum width of a line of text, in Latin letters.
const WRAP: f64 = 26.0;
/// Maximum width of a chart from left to right: the width of text on a page.
const WIDEST: f64 = 680.0;
/// Number of passes that order and place each layer by its neighbours; as many further passes only
/// place it.
const SWEEPS: usize = 8;

/// The diagram as SVG.
pub(super) fn svg(diagram: &Diagram) -> String {
    let drawing = Drawing::of(diagram);
    let told: Vec<String> = drawing.lines().collect();
    let (inner, (wide, high)) = match drawing.kind {
        DiagramKind::Flow => flow(&drawing),
        DiagramKind::Sequence => sequence(&drawing),
    };
    format!(
        "<div class=\"scroll\" tabindex=\"0\"><svg class=\"diagram\" role=\"img\" aria-label=\"{}\" \
         width=\"{wide:.0}\" height=\"{high:.0}\" viewBox=\"0 0 {wide:.0} {high:.0}\">{inner}</svg></div>",
        HtmlEscape(&told.join("; ")),
    )
}

/// The SVG elements of a flow chart, and its width and height.
fn flow(drawing: &Drawing) -> (String, (f64, f64)) {
    let mut chart = Chart::of(drawing);
    let mut placed = Layout::of(&chart);
    if placed.depth > WIDEST {
        // Draw from top to bottom instead, because a page may be long but not wide.
        chart.is_wide = false;
        placed = Layout::of(&chart);
    }
    (
        placed.drawn(&chart),
        chart.turned((placed.breadth, placed.depth)),
    )
}

/// The SVG elements of a sequence, and its width and height: a column for each box, a row for each
/// arrow.
fn sequence(drawing: &Drawing) -> (String, (f64, f64)) {
    /// Width of an arrow that leads back to its own column.
    const BACK: f64 = 24.0;
    let boxes: Vec<Vec<String>> = drawing.boxes.iter().map(|name| wrapped(name)).collect();
    let sizes: Vec<(f64, f64)> = boxes.iter().map(|lines| size(lines)).collect();
    let arrows = drawing.arrows.iter();
    let arrows = arrows.map(|(source, target, label)| (*source, *target, wrapped(label)));
    let arrows: Vec<_> = arrows.collect();
    // The middle of each column, far enough to the right for the labels before it; the last value
    // is the right border.
    let mut columns: Vec<f64> = Vec::new();
    for at in 0..=boxes.len() {
        let half = |at: usize| sizes.get(at).map_or(0.0, |size| size.0 / 2.0);
        let mut middle = match at.checked_sub(1) {
            None => PAD + half(at),
            Some(before) => columns[before] + half(before) + APART + half(at),
        };
        for (source, target, label) in &arrows {
            let (first, last) = (*source.min(target), *source.max(target));
            let (wide, _) = extent(label);
            if first == last && last + 1 == at {
                middle = middle.max(columns[first] + BACK + wide + 2.0 * PAD);
            } else if first < last && last == at {
                middle = middle.max(columns[first] + wide + 2.0 * PAD);
            }
        }
        columns.push(middle);
    }
    let head = sizes.iter().map(|size| size.1).fold(0.0, f64::max);
    let (mut lines, mut labels) = (String::new(), String::new());
    let mut y = PAD + head;
    for (source, target, label) in &arrows {
        let (wide, high) = extent(label);
        let (from, to) = (columns[*source], columns[*target]);
        y += APART / 2.0 + high;
        let (path, middle, foot) = match source == target {
            true => {
                let (right, below) = (from + BACK, y + PAD);
                let path = format!("M{from:.1} {y:.1} H{right:.1} V{below:.1} H{from:.1}");
                (path, right + (wide + PAD) / 2.0, to + 9.0)
            }
            false => {
                let path = format!("M{from:.1} {y:.1} H{to:.1}");
                let back = (from - to).signum() * 9.0;
                (path, f64::midpoint(from, to), to + back)
            }
        };
        let _ = write!(lines, "<path class=\"line\" d=\"{path}\"/>");
        text(label, "label", middle, y - 3.0 - high / 2.0, &mut labels);
        if source == target {
            y += PAD;
        }
        let (upper, lower) = (y - 4.5, y + 4.5);
        let _ = write!(
            lines,
            "<path class=\"tip\" d=\"M{to:.1} {y:.1} L{foot:.1} {upper:.1} L{foot:.1} {lower:.1}Z\"/>"
        );
    }
    let high = y + APART;
    let mut out = String::new();
    for (lines, middle) in boxes.iter().zip(&columns) {
        let _ = write!(
            out,
            "<path class=\"line life\" d=\"M{middle:.1} {head:.1} V{high:.1}\"/>"
        );
        shape(lines, *middle, PAD + head / 2.0, &mut out);
    }
    (out + &lines + &labels, (columns[boxes.len()], high))
}

/// A line between two boxes.
#[derive(Debug)]
struct Edge {
    from: usize,
    to: usize,
    label: Vec<String>,
}

/// A flow chart: the text lines of each box, and the edges.
#[derive(Debug)]
struct Chart {
    boxes: Vec<Vec<String>>,
    edges: Vec<Edge>,
    /// Whether layers follow each other from left to right rather than from top to bottom.
    is_wide: bool,
}

impl Chart {
    /// Builds the chart. Arrows with the same source and target share an edge; an arrow from a box
    /// to itself becomes text in the box.
    fn of(drawing: &Drawing) -> Self {
        let mut boxes: Vec<_> = drawing.boxes.iter().map(|name| wrapped(name)).collect();
        let mut edges: Vec<Edge> = Vec::new();
        for (from, to, label) in &drawing.arrows {
            let is_same = |edge: &&mut Edge| (edge.from, edge.to) == (*from, *to);
            match edges.iter_mut().find(is_same) {
                _ if from == to => boxes[*from].extend(wrapped(&format!("↻ {label}"))),
                Some(edge) => edge.label.extend(wrapped(label)),
                None => edges.push(Edge {
                    from: *from,
                    to: *to,
                    label: wrapped(label),
                }),
            }
        }
        Self {
            boxes,
            edges,
            is_wide: true,
        }
    }

    /// Converts a pair (across the layers, along them) to (x, y), and back.
    fn turned<T>(&self, (first, second): (T, T)) -> (T, T) {
        match self.is_wide {
            true => (second, first),
            false => (first, second),
        }
    }
}

/// A box, or a point that a long edge passes in a layer between.
#[derive(Debug, Default)]
struct LayoutNode {
    layer: usize,
    /// The middle, across the layers and along them.
    across: f64,
    along: f64,
    /// The size, across the layers and along them.
    size: (f64, f64),
    before: Vec<usize>,
    after: Vec<usize>,
}

/// A chart with computed positions.
struct Layout {
    places: Vec<LayoutNode>,
    /// For each edge the indexes of its start, of the points it passes, and of its end, in the
    /// order of the layers.
    paths: Vec<Vec<usize>>,
    depth: f64,
    breadth: f64,
}

impl Layout {
    fn of(chart: &Chart) -> Self {
        let ways = ways(chart);
        let at = |layer, size| LayoutNode {
            layer,
            size,
            ..LayoutNode::default()
        };
        let boxes = chart.boxes.iter().zip(layers(chart.boxes.len(), &ways));
        let boxes = boxes.map(|(lines, layer)| at(layer, chart.turned(size(lines))));
        let mut places: Vec<LayoutNode> = boxes.collect();
        let mut paths = Vec::new();
        for (edge, (first, last)) in chart.edges.iter().zip(ways) {
            let mut path = vec![first];
            for layer in places[first].layer + 1..places[last].layer {
                let (across, _) = chart.turned(extent(&edge.label));
                path.push(places.len());
                places.push(at(layer, (across.max(8.0), 0.0)));
            }
            path.push(last);
            for pair in path.windows(2) {
                places[pair[0]].after.push(pair[1]);
                places[pair[1]].before.push(pair[0]);
            }
            paths.push(path);
        }
        let mut placed = Self {
            places,
            paths,
            depth: 0.0,
            breadth: 0.0,
        };
        placed.across();
        placed.along(chart);
        placed
    }

    /// Orders each layer by the average position of its neighbours, and moves its boxes as near to
    /// that as the space allows.
    fn across(&mut self) {
        let last = self.last();
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); last + 1];
        for (at, place) in self.places.iter().enumerate() {
            rows[place.layer].push(at);
        }
        for row in &rows {
            self.put(row, &vec![0.0; row.len()]);
        }
        for sweep in 0..2 * SWEEPS {
            let is_down = sweep % 2 == 0;
            let order: Vec<usize> = if is_down {
                (0..=last).collect()
            } else {
                (0..=last).rev().collect()
            };
            for n in order {
                let wish = |at: usize| {
                    let place = &self.places[at];
                    let near = if is_down { &place.before } else { &place.after };
                    let near: Vec<f64> = near.iter().map(|one| self.places[*one].across).collect();
                    match near.len() {
                        0 => place.across,
                        count => near.iter().sum::<f64>() / count as f64,
                    }
                };
                let mut row: Vec<(usize, f64)> =
                    rows[n].iter().map(|at| (*at, wish(*at))).collect();
                // The second half of the passes keeps the order and only moves boxes.
                if sweep < SWEEPS {
                    row.sort_by(|a, b| a.1.total_cmp(&b.1));
                }
                rows[n] = row.iter().map(|(at, _)| *at).collect();
                let wishes: Vec<f64> = row.iter().map(|(_, wish)| *wish).collect();
                let row = rows[n].clone();
                self.put(&row, &wishes);
            }
        }
        let edge = |place: &LayoutNode, side: f64| place.across + side * place.size.0 / 2.0;
        let left = self
            .places
            .iter()
            .map(|place| edge(place, -1.0))
            .fold(f64::MAX, f64::min);
        for place in &mut self.places {
            place.across += PAD - left;
        }
        self.breadth = self
            .places
            .iter()
            .map(|place| edge(place, 1.0))
            .fold(0.0, f64::max)
            + PAD;
    }

    fn last(&self) -> usize {
        let layers = self.places.iter().map(|place| place.layer);
        layers.max().unwrap_or(0)
    }

    fn put(&mut self, row: &[usize], wishes: &[f64]) {
        let (mut end, mut moved) = (f64::MIN, 0.0);
        for (at, wish) in row.iter().zip(wishes) {
            let half = self.places[*at].size.0 / 2.0;
            let middle = wish.max(end + half);
            end = middle + half + APART;
            moved += middle - wish;
            self.places[*at].across = middle;
        }
        for at in row {
            self.places[*at].across -= moved / row.len() as f64;
        }
    }

    fn along(&mut self, chart: &Chart) {
        let last = self.last();
        let mut at = PAD;
        for n in 0..=last {
            let row = || self.places.iter().filter(|place| place.layer == n);
            let size = row().map(|place| place.size.1).fold(0.0, f64::max);
            // Labels are drawn between two layers.
            let leaving = chart.edges.iter().zip(&self.paths);
            let leaving = leaving.filter(|(_, path)| self.places[path[0]].layer == n);
            let room = leaving.map(|(edge, _)| chart.turned(extent(&edge.label)).1);
            let room = room.fold(0.0, f64::max);
            for place in self.places.iter_mut().filter(|place| place.layer == n) {
                place.along = at + size / 2.0;
            }
            at += size + DEEP + room;
            self.depth = at - DEEP - room + PAD;
        }
    }

    fn drawn(&self, chart: &Chart) -> String {
        let (mut out, mut labels) = (String::new(), String::new());
        for (edge, path) in chart.edges.iter().zip(&self.paths) {
            self.line(edge, path, chart, &mut out, &mut labels);
        }
        for (lines, place) in chart.boxes.iter().zip(&self.places) {
            let (x, y) = chart.turned((place.across, place.along));
            shape(lines, x, y, &mut out);
        }
        out + &labels
    }

    /// Draws an edge with its arrowhead, through all its points.
    fn line(
        &self,
        edge: &Edge,
        path: &[usize],
        chart: &Chart,
        out: &mut String,
        labels: &mut String,
    ) {
        let point = |across: f64, along: f64| {
            let (x, y) = chart.turned((across, along));
            format!("{x:.1} {y:.1}")
        };
        let (first, last) = (&self.places[path[0]], &self.places[path[path.len() - 1]]);
        let start = (first.across, first.along + first.size.1 / 2.0);
        let end = (last.across, last.along - last.size.1 / 2.0);
        let (mut drawn, mut from) = (format!("M{}", point(start.0, start.1)), start);
        let passed = path[1..path.len() - 1].iter().map(|at| &self.places[*at]);
        for to in passed.map(|place| (place.across, place.along)).chain([end]) {
            let middle = f64::midpoint(from.1, to.1);
            let _ = write!(
                drawn,
                " C{} {} {}",
                point(from.0, middle),
                point(to.0, middle),
                point(to.0, to.1)
            );
            from = to;
        }
        let _ = write!(out, "<path class=\"line\" d=\"{drawn}\"/>");
        let is_back = path[0] != edge.from;
        let (tip, foot) = match is_back {
            true => (start, start.1 + 9.0),
            false => (end, end.1 - 9.0),
        };
        let corners = [tip, (tip.0 - 4.5, foot), (tip.0 + 4.5, foot)];
        let corners = corners
            .map(|(across, along)| point(across, along))
            .join(" L");
        let _ = write!(out, "<path class=\"tip\" d=\"M{corners}Z\"/>");
        if !edge.label.is_empty() {
            let second = &self.places[path[1]];
            let to = match path.len() {
                2 => end,
                _ => (second.across, second.along),
            };
            // A label is nearer to the end that fewer edges share. An edge and its reverse get
            // their labels at opposite ends.
            let (across, along) = match (first.after.len() < second.before.len()) != is_back {
                true => (0.28, 0.38),
                false => (0.72, 0.62),
            };
            let across = start.0 + across * (to.0 - start.0);
            let along = start.1 + along * (to.1 - start.1);
            let (x, y) = chart.turned((across, along));
            text(&edge.label, "label", x, y, labels);
        }
    }
}

/// The ends of each edge in the order of the layers; an edge that would close a cycle is reversed.
fn ways(chart: &Chart) -> Vec<(usize, usize)> {
    let ends = chart.edges.iter().map(|edge| (edge.from, edge.to));
    let mut ways: Vec<(usize, usize)> = ends.collect();
    // `None`: not visited; false: on the current path; true: finished.
    let mut seen = vec![None; chart.boxes.len()];
    for root in 0..chart.boxes.len() {
        let mut way = match seen[root] {
            None => vec![(root, 0)],
            Some(_) => continue,
        };
        while let Some((at, next)) = way.pop() {
            let mut leaving = chart.edges.iter().enumerate().skip(next);
            let Some((n, edge)) = leaving.find(|(_, edge)| edge.from == at) else {
                seen[at] = Some(true);
                continue;
            };
            seen[at] = Some(false);
            way.push((at, n + 1));
            match seen[edge.to] {
                None => way.push((edge.to, 0)),
                Some(false) => ways[n] = (edge.to, edge.from),
                Some(true) => {}
            }
        }
    }
    ways
}

/// The layer of each box: the one after all boxes that lead to it.
fn layers(boxes: usize, ways: &[(usize, usize)]) -> Vec<usize> {
    let mut layers = vec![0; boxes];
    // No path is longer than the number of boxes.
    for _ in 0..boxes {
        for (from, to) in ways {
            layers[*to] = layers[*to].max(layers[*from] + 1);
        }
    }
    layers
}

/// Width and height of lines of text.
fn extent(lines: &[String]) -> (f64, f64) {
    let wide = lines.iter().map(|line| letters(line) * LETTER);
    (wide.fold(0.0, f64::max), lines.len() as f64 * LINE)
}

/// Width and height of a box.
fn size(lines: &[String]) -> (f64, f64) {
    let (wide, high) = extent(lines);
    (wide.max(32.0) + 2.0 * PAD, high.max(LINE) + 2.0 * PAD - 4.0)
}

/// Draws a box around this middle.
fn shape(lines: &[String], x: f64, y: f64, out: &mut String) {
    let (wide, high) = size(lines);
    let (left, top) = (x - wide / 2.0, y - high / 2.0);
    let _ = write!(
        out,
        "<rect class=\"box\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" rx=\"5\"/>"
    );
    text(lines, "", x, y, out);
}

/// Draws lines of text around this middle.
fn text(lines: &[String], class: &str, x: f64, y: f64, out: &mut String) {
    let first = y - (lines.len() as f64 - 1.0) * LINE / 2.0 + 5.0;
    let _ = write!(out, "<text class=\"{class}\">");
    for (n, line) in lines.iter().enumerate() {
        let y = first + n as f64 * LINE;
        let _ = write!(
            out,
            "<tspan x=\"{x:.1}\" y=\"{y:.1}\">{}</tspan>",
            HtmlEscape(line)
        );
    }
    out.push_str("</text>");
}

/// Splits a text into lines, at spaces and between Chinese characters.
fn wrapped(text: &str) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for piece in text.split_inclusive(|c| c == ' ' || c >= '\u{2e80}') {
        if letters(&line) + letters(piece.trim_end()) > WRAP {
            lines.push(std::mem::take(&mut line));
        }
        line.push_str(piece);
    }
    lines.push(line);
    let lines = lines.iter().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// Width of a text in Latin letters; a Chinese character is nearly as wide as two.
fn letters(text: &str) -> f64 {
    text.chars()
        .map(|c| if c < '\u{2e80}' { 1.0 } else { 1.85 })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::Arrow;

    fn diagram(kind: DiagramKind, arrows: &[(&str, &str, &str)]) -> Diagram {
        let arrows = arrows.iter().map(|(source, target, label)| Arrow {
            source: (*source).to_owned(),
            target: (*target).to_owned(),
            label: (*label).to_owned(),
        });
        Diagram {
            kind,
            arrows: arrows.collect(),
        }
    }

    const BOTH: [DiagramKind; 2] = [DiagramKind::Flow, DiagramKind::Sequence];

    #[test]
    fn every_box_and_arrow_is_drawn_and_told() {
        let arrows = [("A", "B", "one"), ("B", "A", "two"), ("B", "C", "")];
        for kind in BOTH {
            let drawn = svg(&diagram(kind, &arrows));
            assert!(
                drawn.contains("aria-label=\"A → B (one); B → A (two); B → C\""),
                "{drawn}"
            );
            let count = |part: &str| drawn.matches(part).count();
            assert_eq!((count("<rect "), count("class=\"tip\"")), (3, 3), "{drawn}");
            for words in [">A<", ">B<", ">C<", ">one<", ">two<"] {
                assert_eq!(count(words), 1, "{drawn}");
            }
        }
        // Arrows with the same ends share an edge, and an arrow from a box to itself is text in it.
        let again = [("A", "B", "one"), ("A", "B", "two"), ("A", "A", "three")];
        let drawn = svg(&diagram(DiagramKind::Flow, &again));
        assert_eq!(drawn.matches("class=\"tip\"").count(), 1, "{drawn}");
        for words in [">one<", ">two<", ">↻ three<"] {
            assert!(drawn.contains(words), "{drawn}");
        }
        let drawn = svg(&diagram(DiagramKind::Sequence, &again));
        assert_eq!(drawn.matches("class=\"tip\"").count(), 3, "{drawn}");
    }

    #[test]
    fn words_of_others_are_words_in_a_drawing() {
        let arrows = [("1 < 2 <script>x</script> & 'q'", "x' onload='y", "0 < 1")];
        for kind in BOTH {
            let drawn = svg(&diagram(kind, &arrows));
            assert!(!drawn.contains("<script"), "{drawn}");
            assert!(!drawn.contains("' onload='"), "{drawn}");
            assert!(drawn.contains(">0 &lt; 1<"), "{drawn}");
        }
    }

    fn sides(drawn: &str) -> (f64, f64) {
        let of = |name: &str| {
            let (_, rest) = drawn.split_once(&format!(" {name}=\"")).unwrap();
            let (number, _) = rest.split_once('"').unwrap();
            number.parse::<f64>().unwrap()
        };
        (of("width"), of("height"))
    }

    #[test]
    fn a_chart_that_is_wider_than_a_page_stands_upright() {
        let chain = |boxes: u32| {
            let names: Vec<String> = (0..boxes).map(|n| format!("number{n}")).collect();
            let pairs: Vec<_> = names
                .windows(2)
                .map(|two| (&*two[0], &*two[1], ""))
                .collect();
            sides(&svg(&diagram(DiagramKind::Flow, &pairs)))
        };
        assert!(chain(4).0 > chain(4).1);
        assert!(chain(20).0 < chain(20).1);
    }

    #[test]
    fn a_sequence_has_room_for_what_its_arrows_say() {
        let long = "what is said here takes as much room as a line has";
        let wide = |label: &str| sides(&svg(&diagram(DiagramKind::Sequence, &[("A", "B", label)])));
        assert!(wide(long).0 > wide("x").0 + 100.0);
        assert!(wide(long).1 > wide("x").1);
    }

    #[test]
    fn boxes_stand_apart_and_layers_follow_the_arrows() {
        let arrows = ["AB", "AC", "AD", "BE", "CE", "AE", "EA", "DF"];
        let arrows = arrows.map(|ends| (&ends[..1], &ends[1..], ""));
        let drawing = Drawing::of(&diagram(DiagramKind::Flow, &arrows));
        let chart = Chart::of(&drawing);
        let placed = Layout::of(&chart);
        let boxes = &placed.places[..chart.boxes.len()];
        let layers: Vec<usize> = boxes.iter().map(|place| place.layer).collect();
        assert_eq!(layers, [0, 1, 1, 1, 2, 2]);
        let turned = chart.edges.iter().zip(&placed.paths);
        assert_eq!(
            turned.filter(|(edge, path)| path[0] != edge.from).count(),
            1
        );
        let rows = &placed.places;
        for (n, one) in rows.iter().enumerate() {
            for other in rows[n + 1..]
                .iter()
                .filter(|other| other.layer == one.layer)
            {
                let apart = (one.across - other.across).abs();
                assert!(
                    apart >= (one.size.0 + other.size.0) / 2.0,
                    "{one:?} {other:?}"
                );
            }
            assert!(one.across - one.size.0 / 2.0 >= 0.0, "{one:?}");
            assert!(one.across + one.size.0 / 2.0 <= placed.breadth, "{one:?}");
            assert!(one.along + one.size.1 / 2.0 <= placed.depth, "{one:?}");
        }
    }
}
