/** Names of files of checks. Plain words: activation loads this file. */
export const checksFileEnding = '.checks.yaml';
export const promptfooFileName = 'promptfooconfig.yaml';
/** For VS Code's search of files, its watchers, and document selectors. */
export const checksPattern = '**/{*.checks.yaml,promptfooconfig.yaml}';
