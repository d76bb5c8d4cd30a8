//! Flow charts of Mermaid as drawings: read, put in layers, and written as SVG that takes its
//! colours from the style sheet.

use std::fmt::Write as _;

use minijinja::HtmlEscape;

use crate::artifact::diagram::{Chart, Edge, MOST, Node, Shape, letters};

/// Height of a line of text, in pixels, as all that follow.
const LINE: f64 = 19.0;
/// Width of a Latin letter.
const LETTER: f64 = 7.7;
/// Room between a text and its border.
const PAD: f64 = 12.0;
/// Room between neighbours.
const APART: f64 = 28.0;
/// Room between layers.
const DEEP: f64 = 56.0;
/// Widest chart that goes from left to right: what a text on a page has room for.
const WIDEST: f64 = 680.0;
/// Times that a layer is ordered and placed by its neighbours.
const SWEEPS: usize = 8;

/// The chart as SVG; `None` if it is no flow chart or not all of it is understood.
pub(super) fn svg(source: &str) -> Option<String> {
    let mut chart = Chart::read(source)?;
    let mut placed = Placed::of(&chart)?;
    if chart.is_wide && placed.depth > WIDEST {
        // A page is longer than it is wide.
        chart.is_wide = false;
        placed = Placed::of(&chart)?;
    }
    Some(placed.drawn(&chart))
}

/// Something that has a place: a box, or a point that a long line passes.
#[derive(Debug, Default)]
struct Place {
    layer: usize,
    /// Middle across the layers and along them.
    across: f64,
    along: f64,
    /// Size across and along.
    size: (f64, f64),
    before: Vec<usize>,
    after: Vec<usize>,
}

/// A chart with a place for everything.
struct Placed {
    places: Vec<Place>,
    /// For each edge what it passes, its ends included, in the order of the layers.
    paths: Vec<Vec<usize>>,
    depth: f64,
    breadth: f64,
}

impl Placed {
    fn of(chart: &Chart) -> Option<Self> {
        let ways = ways(chart);
        let turned = |(wide, high)| {
            if chart.is_wide {
                (high, wide)
            } else {
                (wide, high)
            }
        };
        let at = |layer, size| Place {
            layer,
            size,
            ..Place::default()
        };
        let boxes = chart.nodes.iter().zip(layers(chart.nodes.len(), &ways));
        let boxes = boxes.map(|(node, layer)| at(layer, turned(size(node))));
        let mut places: Vec<Place> = boxes.collect();
        let mut paths = Vec::new();
        for (edge, (first, last)) in chart.edges.iter().zip(ways) {
            let mut path = vec![first];
            for layer in places[first].layer + 1..places[last].layer {
                let (across, _) = turned(extent(&edge.label));
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
        if places.len() > 4 * MOST {
            return None;
        }
        let mut placed = Self {
            places,
            paths,
            depth: 0.0,
            breadth: 0.0,
        };
        placed.across();
        placed.along(chart);
        Some(placed)
    }

    /// Orders each layer by the middles of its neighbours, and puts them as near to these as
    /// there is room.
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
                // The order settles before the places do.
                if sweep < SWEEPS {
                    row.sort_by(|a, b| a.1.total_cmp(&b.1));
                }
                rows[n] = row.iter().map(|(at, _)| *at).collect();
                let wishes: Vec<f64> = row.iter().map(|(_, wish)| *wish).collect();
                let row = rows[n].clone();
                self.put(&row, &wishes);
            }
        }
        let edge = |place: &Place, side: f64| place.across + side * place.size.0 / 2.0;
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

    /// The last layer.
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
            // A label is drawn between two layers.
            let leaving = chart.edges.iter().zip(&self.paths);
            let leaving = leaving.filter(|(_, path)| self.places[path[0]].layer == n);
            let room = leaving.map(|(edge, _)| match (extent(&edge.label), chart.is_wide) {
                ((wide, _), true) => wide,
                ((_, high), false) => high,
            });
            let room = room.fold(0.0, f64::max);
            for place in self.places.iter_mut().filter(|place| place.layer == n) {
                place.along = at + size / 2.0;
            }
            at += size + DEEP + room;
            self.depth = at - DEEP - room + PAD;
        }
        if chart.is_turned {
            for place in &mut self.places {
                place.along = self.depth - place.along;
            }
        }
    }

    fn drawn(&self, chart: &Chart) -> String {
        let at = |across: f64, along: f64| match chart.is_wide {
            true => (along, across),
            false => (across, along),
        };
        let (wide, high) = at(self.breadth, self.depth);
        let mut out = format!(
            "<div class=\"scroll\" tabindex=\"0\"><svg class=\"diagram\" role=\"img\" aria-label=\"{}\" \
             width=\"{wide:.0}\" height=\"{high:.0}\" viewBox=\"0 0 {wide:.0} {high:.0}\">",
            HtmlEscape(&chart.told()),
        );
        let mut labels = String::new();
        for (edge, path) in chart.edges.iter().zip(&self.paths) {
            if edge.look == "hidden" {
                continue;
            }
            self.line(edge, path, chart, &mut out, &mut labels);
        }
        for (node, place) in chart.nodes.iter().zip(&self.places) {
            let (x, y) = at(place.across, place.along);
            shape(node, x, y, &mut out);
        }
        out + &labels + "</svg></div>"
    }

    /// One line with its arrows, through everything that it passes.
    fn line(
        &self,
        edge: &Edge,
        path: &[usize],
        chart: &Chart,
        out: &mut String,
        labels: &mut String,
    ) {
        let point = |across: f64, along: f64| match chart.is_wide {
            true => format!("{along:.1} {across:.1}"),
            false => format!("{across:.1} {along:.1}"),
        };
        let ahead = if chart.is_turned { -1.0 } else { 1.0 };
        let (first, last) = (&self.places[path[0]], &self.places[path[path.len() - 1]]);
        let start = (first.across, first.along + ahead * first.size.1 / 2.0);
        let end = (last.across, last.along - ahead * last.size.1 / 2.0);
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
        let _ = write!(out, "<path class=\"line {}\" d=\"{drawn}\"/>", edge.look);
        let (at_start, at_end) = match edge.heads {
            (back, ahead) if path[0] != edge.from => (ahead, back),
            heads => heads,
        };
        for (is_there, tip, way) in [(at_start, start, ahead), (at_end, end, -ahead)] {
            if is_there {
                let foot = tip.1 + way * 9.0;
                let corners = [(tip.0, tip.1), (tip.0 - 4.5, foot), (tip.0 + 4.5, foot)];
                let corners = corners
                    .map(|(across, along)| point(across, along))
                    .join(" L");
                let _ = write!(out, "<path class=\"tip\" d=\"M{corners}Z\"/>");
            }
        }
        if !edge.label.is_empty() {
            let second = &self.places[path[1]];
            let to = if path.len() == 2 {
                end
            } else {
                (second.across, second.along)
            };
            // Near the end that fewer lines share: a bit more than a third of the way from it.
            let (across, along) = match first.after.len() < second.before.len() {
                true => (0.28, 0.38),
                false => (0.72, 0.62),
            };
            let across = start.0 + across * (to.0 - start.0);
            let along = start.1 + along * (to.1 - start.1);
            let (x, y) = if chart.is_wide {
                (along, across)
            } else {
                (across, along)
            };
            text(&edge.label, "label", x, y, labels);
        }
    }
}

/// For each edge its ends in the order of the layers: one that leads back to where one came
/// from is turned around.
fn ways(chart: &Chart) -> Vec<(usize, usize)> {
    let ends = chart.edges.iter().map(|edge| (edge.from, edge.to));
    let mut ways: Vec<(usize, usize)> = ends.collect();
    // Not seen; on the way; done.
    let mut seen = vec![None; chart.nodes.len()];
    for root in 0..chart.nodes.len() {
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

/// For each box its layer: the one after all that lead to it.
fn layers(boxes: usize, ways: &[(usize, usize)]) -> Vec<usize> {
    let mut layers = vec![0; boxes];
    // No way is longer than there are boxes.
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
fn size(node: &Node) -> (f64, f64) {
    let (group, _) = extent(node.group.as_slice());
    let (wide, high) = extent(&node.lines);
    let wide = wide.max(group).max(32.0) + 2.0 * PAD;
    let high = high.max(LINE) + 2.0 * PAD - 4.0;
    let high = if node.group.is_some() {
        high + LINE
    } else {
        high
    };
    match node.shape {
        Shape::Choice => (wide + 2.0 * PAD, high),
        Shape::Store => (wide, high + 12.0),
        _ => (wide, high),
    }
}

fn shape(node: &Node, x: f64, y: f64, out: &mut String) {
    let (wide, high) = size(node);
    let (left, top) = (x - wide / 2.0, y - high / 2.0);
    let (right, bottom) = (left + wide, top + high);
    let mut down = 0.0;
    let _ = match node.shape {
        Shape::Choice => {
            let (a, b) = (left + PAD, right - PAD);
            write!(
                out,
                "<path class=\"box choice\" d=\"M{left:.1} {y:.1} L{a:.1} {top:.1} H{b:.1} L{right:.1} {y:.1} L{b:.1} {bottom:.1} H{a:.1}Z\"/>"
            )
        }
        Shape::Store => {
            down = 6.0;
            let (rise, half, upper, lower) = (7.0, wide / 2.0, top + 7.0, bottom - 7.0);
            write!(
                out,
                "<path class=\"box\" d=\"M{left:.1} {upper:.1} A{half:.1} {rise} 0 0 1 {right:.1} {upper:.1} V{lower:.1} A{half:.1} {rise} 0 0 1 {left:.1} {lower:.1}Z M{left:.1} {upper:.1} A{half:.1} {rise} 0 0 0 {right:.1} {upper:.1}\"/>"
            )
        }
        shape => {
            let round = if shape == Shape::Round {
                high / 2.0
            } else {
                5.0
            };
            write!(
                out,
                "<rect class=\"box\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" rx=\"{round:.1}\"/>"
            )
        }
    };
    let Some(group) = &node.group else {
        return text(&node.lines, "", x, y + down, out);
    };
    let above = node.lines.len() as f64 * LINE / 2.0;
    text(
        std::slice::from_ref(group),
        "group",
        x,
        y + down - above,
        out,
    );
    text(&node.lines, "", x, y + down + LINE / 2.0, out);
}

/// Lines of text around a middle.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_understood_stays_text() {
        for source in [
            "sequenceDiagram\nA->>B: x",
            "flowchart LR",
            "flowchart XY\nA --> B",
            "flowchart LR\nA -->",
            "flowchart LR\nA[x --> B",
            "flowchart LR\nA -- x",
            "flowchart LR\nA --> A",
            "flowchart LR\nA --> S\nsubgraph S\nB\nend",
            "",
        ] {
            assert_eq!(svg(source), None, "{source}");
        }
        let many: String = (0..MOST + 1).map(|n| format!("n{n} --> m\n")).collect();
        assert_eq!(svg(&format!("flowchart LR\n{many}")), None);
        let long = "a long name ".repeat(500);
        assert_eq!(svg(&format!("flowchart LR\nA[{long}] --> B")), None);
        // Few boxes, named again and again, make many edges.
        let again = |id: &str| [id; 100].join(" & ");
        let edges = format!("flowchart LR\n{} --> {}", again("a"), again("b"));
        assert_eq!(svg(&edges), None);
    }

    #[test]
    fn quotes_that_were_made_safe_are_quotes_again() {
        let drawn = svg("flowchart LR\nA{\"is it #quot;ok#quot;?\"} --> B").unwrap();
        assert!(!drawn.contains("#quot;"), "{drawn}");
    }

    #[test]
    fn words_of_others_are_words_in_a_drawing() {
        let drawn =
            svg("flowchart LR\nA[\"1 < 2 <script>x</script> & 'q'\"] -->|0 < 1| B").unwrap();
        assert!(!drawn.contains("<script"), "{drawn}");
        assert!(drawn.contains("1 &lt; 2 x &amp;"), "{drawn}");
        assert!(drawn.contains(">0 &lt; 1<"), "{drawn}");
        let quoted = svg("flowchart LR\nA[x' onload='y] --> B").unwrap();
        assert!(!quoted.contains("' onload='"), "{quoted}");
    }

    #[test]
    fn a_chart_that_is_wider_than_a_page_stands_upright() {
        let sides = |boxes: u32| {
            let chain: Vec<String> = (0..boxes).map(|n| format!("number{n}")).collect();
            let drawn = svg(&format!("flowchart LR\n{}", chain.join(" --> "))).unwrap();
            let of = |name: &str| {
                let at = drawn.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
                drawn[at..]
                    .split('"')
                    .next()
                    .unwrap()
                    .parse::<f64>()
                    .unwrap()
            };
            (of("width"), of("height"))
        };
        assert!(sides(4).0 > sides(4).1);
        assert!(sides(20).0 < sides(20).1);
    }

    #[test]
    fn boxes_stand_apart_and_layers_follow_the_arrows() {
        let source = "flowchart TB\nA --> B & C & D\nB & C --> E\nA --> E\nE --> A\nD --> F";
        let chart = Chart::read(source).unwrap();
        let placed = Placed::of(&chart).unwrap();
        let boxes = &placed.places[..chart.nodes.len()];
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
