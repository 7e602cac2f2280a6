import type { OnDropped } from './ignoreRules.ts';

const mostShown = 3;
const longestShown = 80;

/** Logs which rules of a `.gitignore` are ignored, once per folder. */
export function droppedRulesLog(warn: (text: string) => void): OnDropped {
  const told = new Set<string>();
  return (folder, rules) => {
    if (told.has(folder)) return;
    told.add(folder);
    const shown = rules.slice(0, mostShown).map((rule) => JSON.stringify(rule.slice(0, longestShown)));
    const more = rules.length > mostShown ? `, and ${rules.length - mostShown} more` : '';
    warn(`${folder}/.gitignore: too many or too slow, so left out: ${shown.join(', ')}${more}`);
  };
}
