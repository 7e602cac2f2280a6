/** Command IDs by name: `parlance.` plus the name. */
function ids<const Names extends readonly string[]>(...names: Names) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries only returns Record<string, …>
  return Object.fromEntries(names.map((name) => [name, `parlance.${name}`])) as {
    readonly [Name in Names[number]]: `parlance.${Name}`;
  };
}

/**
 * The commands of each feature. This file mirrors what package.json contributes, once and typed. A unit test compares the
 * two, so no ID is written as a string anywhere else.
 */
export const commandsOf = {
  chat: ids(
    'openChat',
    'newChat',
    'openChatInEditor',
    'stopReply',
    'selectModel',
    'selectModelInChat',
    'showConversations',
    'renameConversation',
    'exportConversation',
    'deleteConversation',
    'openReply',
    'addContext',
    'addToChat',
  ),
  /** The same for the chat of the view, whichever has the focus: buttons in the view's title. */
  chatView: ids(
    'newChatInView',
    'openChatInEditorInView',
    'selectModelInChatInView',
    'showConversationsInView',
    'renameConversationInView',
    'exportConversationInView',
    'deleteConversationInView',
    'openReplyInView',
  ),
  prompts: ids(
    'runSelection',
    'runSelectionIn',
    'askAboutSelection',
    'explainSelection',
    'fixSelection',
    'simplifySelection',
    'generateTests',
    'generateDocs',
    'translateText',
    'reviewSelection',
    'runPrompt',
    'runPromptFile',
    'newPrompt',
    'stopPrompt',
    'acceptAllChanges',
    'rejectAllChanges',
    'acceptChange',
    'rejectChange',
  ),
  models: ids(
    'showModels',
    'refreshModels',
    'refreshServiceModels',
    'filterModels',
    'clearModelFilter',
    'sortModels',
    'groupModels',
    'ungroupModels',
    'showHiddenModels',
    'showVisibleModels',
    'showModel',
    'useModel',
    'testModel',
    'selectDefaultModel',
    'setDefaultModel',
    'copyModelId',
    'addFavoriteModel',
    'removeFavoriteModel',
    'hideModel',
    'unhideModel',
    'setModelDetails',
  ),
  requests: ids(
    'showRequests',
    'showRequest',
    'openRequest',
    'openResponse',
    'openRequestConversation',
    'copyRequestId',
    'copyRequestAsCurl',
    'copyRequestAsPowerShell',
    'copyRequestAsFetch',
    'copyRequestAsOpenAi',
    'copyRequestAsPython',
    'copyRequestAsCode',
    'runRequestAgain',
    'runRequestWithModel',
    'compareResponses',
    'deleteRequests',
    'clearRequestHistory',
    'exportRequests',
    'filterRequests',
    'loadOlderRequests',
    'showUsage',
  ),
  compare: ids('compareModels'),
  measure: ids('measureModels'),
  media: ids('showMedia', 'generateVideo', 'generateImage', 'insertImage', 'transcribeAudio'),
  connection: ids(
    'addService',
    'removeService',
    'renameService',
    'switchService',
    'findLocalServices',
    'setBaseUrl',
    'setApiKey',
    'removeApiKey',
    'testConnection',
    'showService',
    'showLog',
    'openSettings',
    'openKeysPage',
    'openCreditsPage',
    'openInferenceLogPage',
  ),
  commitMessage: ids('generateCommitMessage', 'stopCommitMessage'),
  checks: ids('newCheck', 'runChecks', 'showChecks', 'keepRequestAsCheck'),
  diagnostics: ids('showDiagnostics'),
} as const;

export const commandIds = {
  ...commandsOf.chat,
  ...commandsOf.chatView,
  ...commandsOf.prompts,
  ...commandsOf.models,
  ...commandsOf.requests,
  ...commandsOf.compare,
  ...commandsOf.measure,
  ...commandsOf.media,
  ...commandsOf.connection,
  ...commandsOf.commitMessage,
  ...commandsOf.checks,
  ...commandsOf.diagnostics,
} as const;

export const viewIds = {
  chat: 'parlance.chat',
  models: 'parlance.models',
  requests: 'parlance.requests',
  media: 'parlance.media',
} as const;

/** Our read-only documents. */
export const documentSchemes = {
  context: 'parlance-context',
  diagnostics: 'parlance-diagnostics',
  /** The two sides of a proposal, for `when` clauses. */
  proposal: 'parlance-proposal',
  reply: 'parlance-reply',
  request: 'parlance-request',
} as const;

/** Gives each proposed change its buttons, in the menus of comments. */
export const changeControllerId = 'parlance.changes';

/** Types of webview panels, which `when` clauses know as `activeWebviewPanelId`. */
export const panelTypes = {
  chatEditor: 'parlance.chatEditor',
  checks: 'parlance.checks',
  compare: 'parlance.compare',
  measure: 'parlance.measure',
  mediaStudio: 'parlance.mediaStudio',
  modelDetails: 'parlance.modelDetails',
  request: 'parlance.request',
  serviceDetails: 'parlance.serviceDetails',
  usage: 'parlance.usage',
} as const;

/** Identifies Parlance's models in VS Code's list of language models, and in `lm.selectChatModels`. */
export const languageModelVendor = 'parlance';

export const participantId = 'parlance.chatParticipant';

/** Tools for agents, by the names that models see. */
export const toolNames = {
  generateVideo: 'parlance_generate_video',
  generateImage: 'parlance_generate_image',
  transcribeAudio: 'parlance_transcribe_audio',
  listModels: 'parlance_list_models',
} as const;

/** Keys set with `setContext`, for `when` clauses and the walkthrough. */
export const contextKeys = {
  /** True while the chat that has or last had the focus is receiving a reply. */
  replyRunning: 'parlance.replyRunning',
  /** True while the chat that has or last had the focus shows a conversation with messages. */
  conversationOpen: 'parlance.conversationOpen',
  /** True while the view's chat shows a conversation with messages. */
  conversationOpenInView: 'parlance.conversationOpenInView',
  /** True while the chat tab in front shows a conversation with messages. */
  conversationOpenInTab: 'parlance.conversationOpenInTab',
  /** True while the focus is in a chat. */
  chatFocused: 'parlance.chatFocused',
  /** Web pages that the user configured for any service. */
  hasKeysPage: 'parlance.hasKeysPage',
  hasCreditsPage: 'parlance.hasCreditsPage',
  hasInferenceLogPage: 'parlance.hasInferenceLogPage',
  /** True while there's more than one service, so commands must say which one. */
  hasSeveralServices: 'parlance.hasSeveralServices',
  /** True once a request to the service succeeded. This and the next four permanently tick steps of the walkthrough. */
  connectionWorks: 'parlance.connectionWorks',
  /** True once a question was asked in a chat. */
  chatUsed: 'parlance.chatUsed',
  /** True once models were viewed, tested, or selected. */
  modelsUsed: 'parlance.modelsUsed',
  /** True once a prompt was run, including in a chat. */
  promptUsed: 'parlance.promptUsed',
  /** True once a video was generated. */
  videoMade: 'parlance.videoMade',
  /** True while a commit message is being written. */
  commitMessageRunning: 'parlance.commitMessageRunning',
  /** Why the Models view is empty: one word for each welcome text. */
  modelsState: 'parlance.modelsState',
  modelsFiltered: 'parlance.modelsFiltered',
  modelsGrouped: 'parlance.modelsGrouped',
  modelsShowHidden: 'parlance.modelsShowHidden',
  /** True while the page about a model shows one that can chat. */
  shownModelChats: 'parlance.shownModelChats',
  /** True while a prompt is running outside of a chat. */
  promptRunning: 'parlance.promptRunning',
  /** True while the diff in front is a proposal that can be accepted. */
  proposalReady: 'parlance.proposalReady',
  /** True while the reply of the proposal in front is being written. */
  proposalRunning: 'parlance.proposalRunning',
} as const;
