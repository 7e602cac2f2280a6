/**
 * `npm run screenshots`: takes the images of the README and the docs from the real workbench with thirty days of
 * requests, and writes them to `media/screenshots/`. With names, it takes only those: `npm run screenshots -- speed
 * diff`.
 */
import { runScript } from '../workbench/runScript.ts';
import { KeptWorkbench } from '../ui/keptWorkbench.ts';
import { Camera } from './camera.ts';
import { exampleModels } from './exampleModels.ts';
import { shots } from './shots.ts';
import { writeThirtyDays } from './thirtyDays.ts';

const names = process.argv.slice(2);
const unknown = names.find((name) => !shots.some((shot) => shot.name === name));
if (unknown !== undefined) {
  console.error(`There is ${shots.map(({ name }) => name).join(', ')}; no ${unknown}.`);
  process.exit(2);
}
if ((await runScript('esbuild.config.mjs', ['--no-tests'])) !== 0) throw new Error('The build failed; see above.');
await using kept = await KeptWorkbench.prepare({
  service: { models: exampleModels() },
  serviceFields: { creditsPage: 'https://account.example/credits' },
  settings: {
    'parlance.chat.model': 'kestrel/sparrow',
    'chat.disableAIFeatures': false,
    'breadcrumbs.enabled': false,
    'window.commandCenter': false,
    // VS Code's own chat: text of at least 11 px, and no times of day.
    'chat.fontSize': 15,
    'chat.verbose': false,
  },
  needsBuiltIn: true,
  pixelRatio: 2,
  prepareStorage: (folder) => writeThirtyDays(folder, Date.now()),
});
const workbench = await kept.start();
const camera = new Camera(workbench);
for (const { name, take } of shots) {
  if (names.length === 0 || names.includes(name)) await take(workbench, camera);
}
