//! Debates as terminal lines: a colour for each member, a mark for each round,
//! the ruling set off.

use anstyle::AnsiColor;
use unicode_width::UnicodeWidthStr;

use super::event::View;
use super::layout::{Mark, dot, heading, ids, labelled, marked, pad, paint, wrap};
use super::text;
use super::{clean, gist};
use crate::clean::reason;
use crate::fault::values;
use crate::machine::Event;
use crate::machine::debate::{
    ArgumentMissing, DebateResolved, DebateRoundSummary, DebateStarted, ExpertArgument,
};
use crate::reply::Decision;
use crate::role::RoleId;

/// Colours of members, by their place in the speaking order.
const COLORS: [AnsiColor; 6] = [
    AnsiColor::Cyan,
    AnsiColor::Magenta,
    AnsiColor::Blue,
    AnsiColor::Green,
    AnsiColor::Yellow,
    AnsiColor::Red,
];

impl View<'_> {
    /// What happens in a debate.
    pub(super) fn debate(&self, event: &Event) -> Option<String> {
        match event {
            Event::DebateStarted(started) => Some(self.debate_started(started)),
            Event::DivergenceUnjudged(unjudged) => {
                let why = reason(&unjudged.reason, self.style.lang);
                let template = text::DISPUTES_UNKNOWN;
                Some(self.told(Mark::Warning, template, values![reason = why]))
            }
            Event::DebateVoided(voided) => {
                let phase = voided.phase_id.as_ref().map(ToString::to_string);
                let template = match phase {
                    Some(_) => text::DEBATE_VOID_PHASE,
                    None => text::DEBATE_VOID,
                };
                let issue = voided.about.map(|issue| issue.to_string());
                let subject = phase.or(issue).unwrap_or_default();
                let values = values![issue = subject, topic = clean(&voided.topic)];
                Some(self.told(Mark::Warning, template, values))
            }
            Event::ExpertArgument(argued) => Some(self.argued(argued)),
            Event::ArgumentMissing(missing) => Some(self.argument_missing(missing)),
            Event::DebateRoundSummary(summary) => Some(self.debate_summed_up(summary)),
            Event::DebateResolved(resolved) => Some(self.debate_resolved(resolved)),
            _ => None,
        }
    }

    fn debate_started(&self, started: &DebateStarted) -> String {
        let participants = started.motion.debate_config.participants.iter();
        let who: Vec<String> = participants.map(|member| self.code(member)).collect();
        let about = started.motion.about;
        let about = about.map(|issue| format!("{}{issue}", dot(self.style)));
        let title = self.say(text::DEBATE, values![id = started.debate]);
        let (about, who) = (about.unwrap_or_default(), who.join(", "));
        let title = format!("{title}{about}{}{who}", dot(self.style));
        let topic = clean(&started.motion.debate_config.topic);
        let topic = wrap(&topic, "  ", self.style);
        let (line, whole) = self.in_full(&started.output);
        let opening = self.done(
            &self.code(&RoleId::coach()),
            &line,
            &self.figure(started.receipt.as_ref()),
        );
        let opening = self.with_whole(opening, whole);
        let phase = self.inserted(started).map(|phase| format!("{phase}\n"));
        let phase = phase.unwrap_or_default();
        let shown = format!(
            "\n{}\n{topic}\n{phase}{opening}",
            heading(&title, self.style)
        );
        self.noted(shown, &RoleId::coach(), &started.notes)
    }

    /// The place of a debate among the phases of a team.
    fn inserted(&self, started: &DebateStarted) -> Option<String> {
        let team = self.state.team.as_ref()?;
        let id = team.debates.get(&started.debate)?;
        let phase = team.plan.find(id)?;
        let after = ids(&phase.depends_on);
        let template = match after.is_empty() {
            true => text::DEBATE_PHASE,
            false => text::DEBATE_PHASE_AFTER,
        };
        let mut parts = vec![self.say(template, values![id = id.0, after])];
        let waiting = team.plan.phases().iter();
        let waiting = waiting.filter(|other| other.depends_on.contains(id));
        let waiting: Vec<_> = waiting.map(|other| &other.id).collect();
        if !waiting.is_empty() {
            parts.push(self.say(text::DEBATE_WAITED_FOR, values![ids = ids(&waiting)]));
        }
        Some(marked(Mark::Note, &parts.join(dot(self.style)), self.style))
    }

    /// A panel: a bar in the member's colour, who in which round, then the whole argument.
    fn argued(&self, argued: &ExpertArgument) -> String {
        let member = &argued.receipt.call.member;
        let round = self.say(text::RAISED_IN, values![n = argued.debate_round]);
        let position = argued.argument.positions.first();
        let stance =
            position.map(|position| text::name_of("stance", &position.stance).of(self.style.lang));
        let head: Vec<&str> = std::iter::once(&*round).chain(stance).collect();
        let head = head.join(dot(self.style));
        let (line, whole) = self.in_full(&argued.output);
        let head = match line.is_empty() {
            true => head,
            false => format!("{head}{}{line}", text::COLON.of(self.style.lang)),
        };
        let changed = position.and_then(|position| position.changed_because.as_deref());
        let changed = changed.map(|why| self.say(text::CHANGED_MIND, values![why = gist(why)]));
        let proposed = position.and_then(|position| position.proposal.as_deref());
        let proposed =
            proposed.map(|text| self.say(text::PROPOSES_TEXT, values![text = gist(text)]));
        let inner = self.within_panel();
        let set = |line: String| wrap(&line, "", &inner);
        let text = std::iter::once(set(head))
            .chain(whole.map(|whole| super::markdown(whole, &inner)))
            .chain(changed.map(set))
            .chain(proposed.map(set));
        let text: Vec<String> = text.collect();
        self.noted(self.panel(member, &text.join("\n")), member, &argued.notes)
    }

    /// The prefix of each line of a panel, as long as it is before all of them.
    fn bar(&self, who: &str) -> String {
        match self.style.plain {
            true => format!("{}: {who} ", text::MARK_ARGUED.of(self.style.lang)),
            false => format!("▌ {who} "),
        }
    }

    /// How the text of a panel is set.
    fn within_panel(&self) -> super::Style {
        let bar = self.bar(&pad("", 5)).width();
        let width = self.style.width.saturating_sub(bar).max(20);
        self.style.with_width(width)
    }

    fn panel(&self, member: &RoleId, text: &str) -> String {
        let with = self.color(member).on_default();
        let first = self.bar(&pad(&self.code(member), 5));
        let later = match self.style.plain {
            true => " ".repeat(first.width()),
            false => format!("▌{}", " ".repeat(first.width() - 1)),
        };
        let shown = text.lines().enumerate().map(|(n, line)| {
            let prefix = if n == 0 { &first } else { &later };
            let prefix = if line.is_empty() {
                prefix.trim_end()
            } else {
                prefix
            };
            format!("{}{line}", paint(prefix, with, self.style))
        });
        shown.collect::<Vec<_>>().join("\n")
    }

    fn argument_missing(&self, missing: &ArgumentMissing) -> String {
        let values = values![
            who = self.code(&missing.member),
            n = missing.debate_round,
            reason = reason(&missing.reason, self.style.lang)
        ];
        self.told(Mark::Warning, text::ARGUMENT_MISSING, values)
    }

    fn debate_summed_up(&self, summary: &DebateRoundSummary) -> String {
        let round = self.say(text::RAISED_IN, values![n = summary.debate_round]);
        let (line, whole) = self.in_full(&summary.output);
        let told = match line.is_empty() {
            true => round,
            false => format!("{round}{}{line}", text::COLON.of(self.style.lang)),
        };
        let figure = self.figure(summary.receipt.as_ref());
        let shown = self.done(&self.code(&RoleId::coach()), &told, &figure);
        self.noted(
            self.with_whole(shown, whole),
            &RoleId::coach(),
            &summary.notes,
        )
    }

    /// The ruling: bold and coloured, whole, with why and who still objects.
    fn debate_resolved(&self, resolved: &DebateResolved) -> String {
        let decision = text::name_of("decision", &resolved.decision);
        let values = values![
            id = resolved.debate,
            decision,
            text = clean(&resolved.conclusion)
        ];
        // Painted as a whole below: a mark with a colour of its own would end it.
        let bare = super::Style {
            color: false,
            ..*self.style
        };
        let ruled = marked(Mark::Ruled, &self.say(text::RULED, values), &bare);
        let color = match resolved.decision {
            Decision::Shelve => AnsiColor::Yellow,
            Decision::Adopt | Decision::Compromise => AnsiColor::Green,
        };
        let with = color.on_default().bold();
        let set_off = ruled.lines().map(|line| paint(line, with, self.style));
        let mut lines: Vec<String> = set_off.collect();
        lines.push(labelled(text::WHY, &clean(&resolved.rationale), self.style));
        lines.extend(resolved.dissent.iter().map(|dissent| {
            let (who, why) = (self.code(&dissent.member), gist(&dissent.why));
            self.told(Mark::Warning, text::STILL_OBJECTS, values![who, text = why])
        }));
        self.noted(lines.join("\n"), &RoleId::coach(), &resolved.notes)
    }

    fn color(&self, member: &RoleId) -> AnsiColor {
        let members = &self.state.inputs.roles.members;
        let place = members.iter().position(|role| role.id == *member);
        COLORS[place.unwrap_or_default() % COLORS.len()]
    }
}
