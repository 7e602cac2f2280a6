import { catalogueShapes } from '../catalogue/catalogueBody.ts';
import { faultGuide } from './faultGuide.ts';

/** What can go wrong, and the models that do it, as the Markdown table of the README. */
export function faultTable(): string {
  const rows = faultGuide().map(
    ({ trouble, models }) => `| ${trouble} | ${models.map(({ id }) => `\`${id}\``).join(', ')} |`,
  );
  const shapes = catalogueShapes.map(({ name, what }) => `\`${name}\` (${what})`).join(', ');
  const catalogue = `| A model list in another form | \`--catalogue-form\` ${shapes} |`;
  return `| To simulate | Use the model |\n| --- | --- |\n${[...rows, catalogue].join('\n')}\n`;
}
