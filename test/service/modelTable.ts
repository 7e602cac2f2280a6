import { defaultCatalogSize } from './inferenceService.ts';
import { createModels } from './models/createModels.ts';

/** All models, including hidden ones, as the Markdown table in the README. */
export function modelTable(): string {
  const rows = [...createModels(Date.now, defaultCatalogSize).values()].map(
    ({ id, description, hidden }) => `| \`${id}\` | ${description.replaceAll('|', '\\|')} | ${hidden ? 'no' : 'yes'} |`,
  );
  return `| Model | What it does | Listed |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}
