/** Names that activation needs. Only strings, because it loads this file. */
export const checksFileEnding = '.checks.yaml';
export const promptfooFileName = 'promptfooconfig.yaml';
/** For VS Code's file search, its watchers, and document selectors. */
export const checksPattern = '**/{*.checks.yaml,promptfooconfig.yaml}';
/** Opens the request of an attempt. Internal, so the manifest doesn't list it. */
export const openCheckRequestCommand = 'parlance.internal.openCheckRequest';
