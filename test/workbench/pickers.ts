/**
 * The lists of VS Code that Parlance shows, by the files in `src/vscode/` that show them: the title of each, or its
 * placeholder if the title depends on who asks. As in the bundle of strings to translate.
 */
export const pickers: Readonly<Record<string, readonly string[]>> = {
  'attachments/pickContext.ts': ['Add Context', 'Add a File'],
  'attachments/sources/folderTreeContext.ts': ['Select a Folder'],
  'attachments/sources/gitContext.ts': ['Select a Repository'],
  'attachments/sources/symbolContext.ts': ['Add a Symbol from {0}'],
  'chat/conversationPick.ts': ['Conversations'],
  'checks/chooseModels.ts': ['Run with Selected Models'],
  'checks/keepAsCheck.ts': ['Keep as a Check'],
  'checks/newCheck.ts': ['Which prompt is it for?'],
  'commitMessage/registerCommitMessage.ts': ['Select a Repository'],
  'compare/comparedReplyActs.ts': ['Compare {0} With'],
  'compare/comparisonFiles.ts': ['Open Comparison'],
  'connection/serviceCommands.ts': ['Select a service'],
  'measure/takenPrompt.ts': ['Select Prompt File'],
  'models/filterModels.ts': ['Filter Models', 'Sort Models'],
  'models/pickModel.ts': ['Search, or type a model ID (<provider>/<model>)'],
  'models/setModelDetails.ts': [
    'Select what to set. It replaces the value in the model list.',
    'Select all that apply, or none to use the values in the model list',
  ],
  'prompts/files/newPrompt.ts': ['Who is it for?'],
  'prompts/files/pickPrompt.ts': ['Run Prompt'],
  'prompts/offerBlock.ts': ['Select What to Send'],
  'prompts/run/askLanguage.ts': ['Translate Text'],
  'prompts/run/chooseTarget.ts': ['Where should the reply go?'],
  'requests/codeForms.ts': ['Copy Request as Code'],
  'requests/exportRequests.ts': ['Export Requests'],
  'requests/pickRequest.ts': ['Select Request'],
  'requests/registerRequests.ts': ['Filter Requests by Service'],
};

const patterns = [...new Set(Object.values(pickers).flat())].map((words) => {
  const parts = words.split(/\{\d\}/).map((part) => RegExp.escape(part));
  return [words, new RegExp(`^${parts.join('.+')}$`)] as const;
});

/** Which list has this title or placeholder, as `pickers` names it. */
export function pickerOf(shown: string): string | undefined {
  return patterns.find(([, pattern]) => pattern.test(shown))?.[0];
}
