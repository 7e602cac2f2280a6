/** Names of files of checks. Only strings, because activation loads this file. */
export const checksFileEnding = '.checks.yaml';
export const promptfooFileName = 'promptfooconfig.yaml';
/** For VS Code's file search, its watchers, and document selectors. */
export const checksPattern = '**/{*.checks.yaml,promptfooconfig.yaml}';
