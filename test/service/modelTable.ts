import { defaultCatalogSize } from './inferenceService.ts';
import { createModels } from './models/createModels.ts';

/** All models, the hidden ones included, as the Markdown table of the README. */
export function modelTable(): string {
  const rows = [...createModels(Date.now, defaultCatalogSize).values()].map(
    ({ id, description, hidden }) => `| \`${id}\` | ${description.replaceAll('|', '\\|')} | ${hidden ? 'no' : 'yes'} |`,
  );
  return `| Model | What it does | Listed |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}
