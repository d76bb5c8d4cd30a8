//! Errors of configuration, roles, templates and prepared answers.

use super::rows;

rows! {
    CONFIG_UNREADABLE "E-config-unreadable" Config;
    CONFIG_NOT_UTF8 "E-config-not-utf8" Config;
    CONFIG_YAML "E-config-yaml" Config;
    CONFIG_NOT_MAPPING "E-config-not-mapping" Config;
    KEY_UNKNOWN "E-config-key" Config;
    VALUE_WRONG "E-config-value" Config;
    KEY_TWICE "E-config-twice" Config;
    KEY_FORBIDDEN "E-config-forbidden" Config;
    KNOWLEDGE_OUTSIDE "E-config-outside" Config;
    PROGRAM_FORBIDDEN "E-config-program" Config;
    KEY_SECRET "E-config-secret" Config;
    SECRET_SETTING "E-config-secret-variable" Config;
    PROVIDER_NAME "E-config-provider-name" Config;
    PRICE_HALF "E-config-price" Config;
    PROFILE_INSIDE "E-config-profile-inside" Config;
    PROFILE_MISSING "E-config-profile" Config;
    KEY_FORM "E-config-form" Config;
    KEY_TABLE "E-config-table" Usage;
    KEY_NOT_IN_FILES "E-config-not-in-files" Usage;
    OUTSIDE "E-path-outside" Config;
    CONFIG_NO_PLACE "E-config-no-place" Config;
    ANSWERS "E-answers" Config;
    ROLE_FILE "E-role-file" Config;
    ROLE_UNKNOWN "E-role-unknown" Config;
    ROLES_NONE "E-roles-none" Config;
    ROLE_CODE_SHARED "E-role-code-shared" Config;
    ROLE_TAKEN "E-role-taken" Usage;
    ROLE_NAME "E-role-name" Usage;
    ASSET_UNREADABLE "E-asset-unreadable" Config;
    ASSET_UNFIT "E-asset-unfit" Config;
    TEMPLATE_MISSING "E-template-missing" Config;
    TEMPLATE "E-template" Config;
    SIMILARITY_HALF "E-similarity-half" Config;
    SIMILARITY_ENDPOINT "E-similarity-endpoint" Config;
}
