//! Errors of a command line and of texts passed to it. `INTERNAL` alone is a bug of the program,
//! wherever it is found.

use super::rows;

rows! {
    COMMAND_UNKNOWN "E-command-unknown" Usage;
    ARGUMENT_UNKNOWN "E-argument-unknown" Usage;
    ARGUMENT_MISSING "E-argument-missing" Usage;
    ARGUMENT_VALUE "E-argument-value" Usage;
    ARGUMENT_NO_VALUE "E-argument-no-value" Usage;
    ARGUMENT_CONFLICT "E-argument-conflict" Usage;
    ARGUMENT_TWICE "E-argument-twice" Usage;
    ARGUMENTS "E-arguments" Usage;
    FOLDER_MISSING "E-folder-missing" Usage;
    STDOUT "E-stdout" Storage;
    TERMINAL "E-terminal" Storage;
    PORT "E-port" Usage;
    PAGER "E-pager" Internal;
    INTERNAL "E-internal" Internal;
    FORMAT_ALONE "E-format-alone" Usage;
    FORMAT_NOBODY "E-format-nobody" Usage;
    FORMAT_ELSEWHERE "E-format-elsewhere" Usage;
    FORMAT_UNKNOWN "E-format-unknown" Usage;
    FLAG_IN_VAIN "E-flag-in-vain" Usage;
    STDIN_TWICE "E-stdin-twice" Usage;
    INPUT_UNREADABLE "E-input-unreadable" Usage;
    TEXT_MISSING "E-text-missing" Usage;
    CHAT_NOTHING_SAID "E-chat-nothing-said" Usage;
    CHAT_EMPTY "E-chat-empty" Usage;
    EDITOR "E-editor" Usage;
    TEXT_TOO_LARGE "E-text-too-large" Usage;
    TEXT_NOT_UTF8 "E-text-not-utf8" Usage;
    TEXT_NUL "E-text-nul" Usage;
    NOT_QUOTED "E-version-word" Usage;
    DECIDE_ROW "E-decide-row" Usage;
    DECIDE_ANSWER "E-decide-answer" Usage;
    DECIDE_TWICE "E-decide-twice" Usage;
    ASK_WITHOUT_TERMINAL "E-ask-without-terminal" Usage;
    SLASH_UNKNOWN "E-slash-unknown" Usage;
    SLASH_NO_TOPIC "E-slash-no-topic" Usage;
    RECORD_BATCH "E-record-batch" Usage;
    FEEDBACK_ALONE "E-feedback-alone" Usage;
    FEEDBACK_LONG "E-feedback-long" Usage;
    WRITER_MISSING "E-writer-missing" Usage;
    RECORD_NOTHING "E-record-nothing" Usage;
    BATCH_EMPTY "E-batch-empty" Usage;
    BATCH_LINE "E-batch-line" Usage;
    OUT_AMONG_VERSIONS "E-out-among-versions" Usage;
    OUT_EXISTS "E-out-exists" Usage;
    DEMO_FOLDER "E-demo-folder" Usage;
}
