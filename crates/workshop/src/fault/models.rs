//! Errors about models and how they are reached.

use super::rows;

rows! {
    PROVIDER_UNAVAILABLE "E-provider-unavailable" Provider;
    MODEL_MISSING "E-model-missing" Provider;
    CALL_REFUSED "E-call-refused" Provider;
    REPLY_UNUSABLE "E-reply-unusable" Unusable;
    QUESTION_UNANSWERED "E-question-unanswered" Provider;
    KEY_MISSING "E-key-missing" Credentials;
    KEY_REFUSED "E-key-refused" Credentials;
    KEY_MALFORMED "E-key-malformed" Credentials;
    PROVIDER_UNKNOWN "E-provider-unknown" Usage;
    ADDRESS_IN_VAIN "E-address-in-vain" Usage;
    PROVIDER_NOT_CONFIGURED "E-provider-not-configured" Credentials;
    ADDRESS_NEEDED "E-address-needed" Credentials;
    ROLE_ADDRESS_NEEDED "E-role-address-needed" Credentials;
    PROVIDER_NOT_RUNNING "E-provider-not-running" Provider;
    PROGRAM_UNNAMED "E-program-unnamed" Usage;
    PROGRAM_MISSING "E-program-missing" Provider;
    AGENT_SANDBOX "E-agent-sandbox" Provider;
    PROGRAM_FOLDER "E-program-folder" Storage;
    PROGRAM_NOT_CHOSEN "E-program-not-chosen" Config;
    MODEL_UNNAMED "E-model-unnamed" Usage;
    MODELS_UNASKED "E-models-unasked" Provider;
    ENDPOINT_UNTRUSTED "E-endpoint-untrusted" Provider;
    MODEL_NONE "E-model-none" Credentials;
    BASE_URL "E-base-url" Usage;
    ROUTE "E-route" Config;
    PROXY_VARIABLE "E-proxy-variable" Config;
    TLS "E-tls" Usage;
    CERTIFICATES "E-certificates" Config;
    PRICE_UNKNOWN "E-price-unknown" Config;
    FIXTURES_MISSING "E-fixtures-missing" Usage;
    FIXTURES_UNREADABLE "E-fixtures-unreadable" Config;
    FIXTURE_MALFORMED "E-fixture-malformed" Config;
}
