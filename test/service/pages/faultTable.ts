import { catalogShapes } from '../catalog/catalogBody.ts';
import { faultGuide } from './faultGuide.ts';

/** What can go wrong, and the models that cause it, as the Markdown table in the README. */
export function faultTable(): string {
  const rows = faultGuide().map(
    ({ trouble, models }) => `| ${trouble} | ${models.map(({ id }) => `\`${id}\``).join(', ')} |`,
  );
  const shapes = catalogShapes.map(({ name, what }) => `\`${name}\` (${what})`).join(', ');
  const catalog = `| A model list in another form | \`--catalog-form\` ${shapes} |`;
  return `| To simulate | Use the model |\n| --- | --- |\n${[...rows, catalog].join('\n')}\n`;
}
