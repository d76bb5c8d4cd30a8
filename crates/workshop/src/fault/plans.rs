//! Errors about versions, runs and their contents.

use super::rows;

rows! {
    VERSION_MISSING "E-version-missing" Usage;
    VERSION_DRAFT "E-version-draft" Usage;
    VERSION_NONE "E-version-none" Usage;
    VERSION_NO_PLAN "E-version-no-plan" Usage;
    SAID_TOO_LATE "E-said-too-late" Usage;
    COMMIT_UNKNOWN "E-commit-unknown" Usage;
    VERSION_FIRST "E-version-first" Usage;
    NOTHING_WHOLE "E-transcript-lost" Damaged;
    THREAD_FILE "E-thread-file" Config;
    APPROVAL_FILE "E-approval-file" Config;
    THREAD_UNKNOWN "E-thread-unknown" Usage;
    THREAD_OF_OTHER "E-thread-of-other" Usage;
    QUOTE_UNKNOWN "E-quote-unknown" Usage;
    AUTHOR_UNKNOWN "E-author-unknown" Usage;
    ITEM_UNKNOWN "E-item-unknown" Usage;
    COMMENT_LONG "E-comment-long" Usage;
    COMMENTS_FOREIGN "E-comments-foreign" Config;
    APPROVE_OTHER "E-approve-other" Damaged;
    VERSION_PUBLISHED "E-version-published" Usage;
    VERSION_TAMPERED "E-version-tampered" Damaged;
    VERSION_CUT "E-version-cut" Damaged;
    VERSION_RENAMED "E-version-renamed" Damaged;
    RUN_AMBIGUOUS "E-run-ambiguous" Usage;
    RUN_COMPLETE "E-run-complete" Usage;
    RUN_NONE "E-run-none" Usage;
    DRAFT_EMPTY "E-draft-empty" Usage;
    VERSION_TWICE "E-version-twice" Usage;
    QUESTION_NOT_WAITING "E-question-not-waiting" Usage;
    ANSWER_CONFLICT "E-answer-conflict" Usage;
    OPTION_NONE "E-option-none" Usage;
    QUESTION_NONE "E-question-none" Usage;
    ISSUE_MISSING "E-issue-missing" Usage;
    DEBATE_REFUSED "E-debate-refused" Usage;
    DEBATE_MISSING "E-debate-missing" Usage;
    TRIAL_MISSING "E-trial-missing" Usage;
    ROUND_MISSING "E-round-missing" Usage;
    PART_UNKNOWN "E-part-unknown" Usage;
    PART_NOT_WRITTEN "E-part-not-written" Usage;
    ID_UNKNOWN "E-id-unknown" Usage;
    DOCUMENT_MISSING "E-document-missing" Usage;
    USER_NEEDED "E-human-needed" UserNeeded;
    REPLIES_NEEDED "E-replies-needed" UserNeeded;
    REPLY_FILE "E-reply-file" Config;
    REPLY_BAD "E-reply-bad" Config;
    REPLY_NOT_DUE "E-reply-not-due" Usage;
    REPLY_NONE "E-reply-none" Usage;
    REPLY_NAME "E-reply-name" Usage;
    INPUTS_DRIFTED "E-inputs-drifted" Damaged;
    QUESTIONS_FILE "E-questions-file" Config;
    RUN_HELD "E-run-held" Held;
    INBOX_FULL "E-inbox-full" Held;
    INBOX_NO_RUN "E-inbox-no-run" Usage;
    MESSAGE_TOO_LARGE "E-message-too-large" Usage;
}
