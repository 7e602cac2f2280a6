/**
 * What package.json contributes, mirrored once and typed. A unit test holds the two to each other,
 * so an id is never written as a string anywhere else.
 */
export const commandIds = {
  openChat: 'parlance.openChat',
  newChat: 'parlance.newChat',
  openChatInEditor: 'parlance.openChatInEditor',
  showConversations: 'parlance.showConversations',
  renameConversation: 'parlance.renameConversation',
  deleteConversation: 'parlance.deleteConversation',
  exportConversation: 'parlance.exportConversation',
  openReply: 'parlance.openReply',
  stopReply: 'parlance.stopReply',
  runSelection: 'parlance.runSelection',
  runSelectionIn: 'parlance.runSelectionIn',
  askAboutSelection: 'parlance.askAboutSelection',
  explainSelection: 'parlance.explainSelection',
  fixSelection: 'parlance.fixSelection',
  improveSelection: 'parlance.improveSelection',
  addTests: 'parlance.addTests',
  documentSelection: 'parlance.documentSelection',
  translateSelection: 'parlance.translateSelection',
  reviewSelection: 'parlance.reviewSelection',
  runPrompt: 'parlance.runPrompt',
  runPromptFile: 'parlance.runPromptFile',
  newPrompt: 'parlance.newPrompt',
  stopPrompt: 'parlance.stopPrompt',
  acceptProposal: 'parlance.acceptProposal',
  rejectProposal: 'parlance.rejectProposal',
  acceptChange: 'parlance.acceptChange',
  rejectChange: 'parlance.rejectChange',
  selectModel: 'parlance.selectModel',
  setBaseUrl: 'parlance.setBaseUrl',
  setApiKey: 'parlance.setApiKey',
  removeApiKey: 'parlance.removeApiKey',
  testConnection: 'parlance.testConnection',
  openKeysPage: 'parlance.openKeysPage',
  openCreditsPage: 'parlance.openCreditsPage',
  openInferenceLogPage: 'parlance.openInferenceLogPage',
  showLog: 'parlance.showLog',
  openSettings: 'parlance.openSettings',
  showDiagnostics: 'parlance.showDiagnostics',
  openRequest: 'parlance.openRequest',
  openResponse: 'parlance.openResponse',
  openRequestConversation: 'parlance.openRequestConversation',
  copyRequestId: 'parlance.copyRequestId',
  copyRequestAsCurl: 'parlance.copyRequestAsCurl',
  copyRequestAsPowerShell: 'parlance.copyRequestAsPowerShell',
  copyRequestAsFetch: 'parlance.copyRequestAsFetch',
  copyRequestAsOpenAi: 'parlance.copyRequestAsOpenAi',
  copyRequestAsPython: 'parlance.copyRequestAsPython',
  runRequestAgain: 'parlance.runRequestAgain',
  runRequestWithModel: 'parlance.runRequestWithModel',
  compareAnswers: 'parlance.compareAnswers',
  deleteRequests: 'parlance.deleteRequests',
  clearRequests: 'parlance.clearRequests',
  exportRequests: 'parlance.exportRequests',
  loadOlderRequests: 'parlance.loadOlderRequests',
  showUsage: 'parlance.showUsage',
  writeCommitMessage: 'parlance.writeCommitMessage',
  stopCommitMessage: 'parlance.stopCommitMessage',
  refreshModels: 'parlance.refreshModels',
  filterModels: 'parlance.filterModels',
  clearModelFilter: 'parlance.clearModelFilter',
  sortModels: 'parlance.sortModels',
  groupModels: 'parlance.groupModels',
  ungroupModels: 'parlance.ungroupModels',
  showHiddenModels: 'parlance.showHiddenModels',
  leaveOutHiddenModels: 'parlance.leaveOutHiddenModels',
  useModel: 'parlance.useModel',
  setDefaultModel: 'parlance.setDefaultModel',
  showModel: 'parlance.showModel',
  testModel: 'parlance.testModel',
  copyModelId: 'parlance.copyModelId',
  addFavouriteModel: 'parlance.addFavouriteModel',
  removeFavouriteModel: 'parlance.removeFavouriteModel',
  hideModel: 'parlance.hideModel',
  unhideModel: 'parlance.unhideModel',
  addContext: 'parlance.addContext',
  generateVideo: 'parlance.generateVideo',
  generateImage: 'parlance.generateImage',
  insertImage: 'parlance.insertImage',
  transcribeAudio: 'parlance.transcribeAudio',
} as const;

export const containerIds = { parlance: 'parlance', service: 'parlance-service' } as const;

export const viewIds = {
  chat: 'parlance.chat',
  models: 'parlance.models',
  requests: 'parlance.requests',
  media: 'parlance.media',
} as const;

/** Menus of our own that stand in one of VS Code's. */
export const submenuIds = { editor: 'parlance.editor', copyRequest: 'parlance.copyRequest' } as const;

/** Read-only documents of ours. */
export const documentSchemes = {
  context: 'parlance-context',
  diagnostics: 'parlance-diagnostics',
  /** The two sides of a proposal, as `when` clauses name it. */
  proposal: 'parlance-proposal',
  reply: 'parlance-reply',
  request: 'parlance-request',
} as const;

/** Types of webview panels: named in `when` clauses as `activeWebviewPanelId`. */
export const panelTypes = {
  chatEditor: 'parlance.chatEditor',
  mediaStudio: 'parlance.mediaStudio',
  modelDetails: 'parlance.modelDetails',
  usage: 'parlance.usage',
} as const;

/** Names Parlance's models in VS Code's list of language models, and in `lm.selectChatModels`. */
export const languageModelVendor = 'parlance';

export const participantId = 'parlance.chatParticipant';

/** Tools for agents, as models know them. */
export const toolNames = {
  generateVideo: 'parlance_generate_video',
  generateImage: 'parlance_generate_image',
  transcribeAudio: 'parlance_transcribe_audio',
  listModels: 'parlance_list_models',
} as const;

/** Keys set with `setContext`, that `when` clauses and the walkthrough read. */
export const contextKeys = {
  /** True while the chat that has or last had the focus is receiving a reply. */
  replyRunning: 'parlance.replyRunning',
  /** True while the chat that has or last had the focus shows a conversation with messages. */
  conversationOpen: 'parlance.conversationOpen',
  /** True once a request to the service went well in this window. */
  connectionWorks: 'parlance.connectionWorks',
  /** True once a prompt ran in this window, also in a chat. */
  promptUsed: 'parlance.promptUsed',
  /** True once a video was made in this window. */
  videoMade: 'parlance.videoMade',
  /** True while a commit message is being written. */
  commitMessageRunning: 'parlance.commitMessageRunning',
  /** Why the view of models is empty, a word for each welcome. */
  modelsState: 'parlance.modelsState',
  modelsFiltered: 'parlance.modelsFiltered',
  modelsGrouped: 'parlance.modelsGrouped',
  modelsShowHidden: 'parlance.modelsShowHidden',
  /** True while the page about a model shows one that can chat. */
  shownModelChats: 'parlance.shownModelChats',
  /** True while a prompt runs outside of a chat. */
  promptRunning: 'parlance.promptRunning',
  /** True while the diff in front is a proposal that can be accepted. */
  proposalReady: 'parlance.proposalReady',
  /** True while the reply of the proposal in front is being written. */
  proposalRunning: 'parlance.proposalRunning',
} as const;
