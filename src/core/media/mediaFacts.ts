import * as l10n from '@vscode/l10n';
import type { MediaInput, MediaParameters } from '../../shared/media.ts';
import type { ParameterView } from '../../shared/mediaProtocol.ts';
import { numberText } from '../../words/numberText.ts';
import type { MediaRun } from './mediaLibrary.ts';
import { roundedPrice } from './mediaPrice.ts';
import { inline } from '../../words/inline.ts';

/** What a card says in one line, besides the model: `5 s`, `720p`, `Draft`. */
export function mediaFacts(run: MediaRun): readonly string[] {
  const { parameters } = run;
  const facts: (string | undefined)[] = [];
  if (parameters.kind === 'video') {
    const { draft, duration, resolution, aspectRatio, fps } = parameters;
    facts.push(draft === true ? l10n.t('Draft') : undefined);
    facts.push(
      duration === undefined ? undefined : l10n.t('{0} s', numberText(duration, 0, 2)),
      resolution,
      aspectRatio,
    );
    facts.push(fps === undefined ? undefined : l10n.t('{0} fps', fps));
  } else {
    const { width, height, steps, seed } = parameters;
    facts.push(width === undefined || height === undefined ? undefined : `${width} × ${height}`);
    facts.push(steps === undefined ? undefined : l10n.t('{0} steps', steps));
    facts.push(seed === undefined ? undefined : l10n.t('seed {0}', seed));
  }
  facts.push(costWords(run));
  return facts.filter((fact) => fact !== undefined).map((fact) => inline(fact, 40));
}

/** Everything that was set, under the names of the form, and what support asks for. */
export function mediaDetails(run: MediaRun): readonly ParameterView[] {
  const { parameters, requestId } = run;
  const rows: (readonly [string, string | undefined])[] = [[l10n.t('Model'), parameters.model]];
  rows.push(...(parameters.kind === 'video' ? videoRows(parameters) : imageRows(parameters)));
  rows.push([l10n.t('Cost'), costInFull(run)]);
  rows.push([l10n.t('Request id'), requestId]);
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value: inline(value, 300) }]));
}

/** What it cost, or comes to; nothing where it was certainly not charged. */
function costWords({ cost, estimate, outcome, unsent }: MediaRun): string | undefined {
  if (cost !== undefined) return l10n.t('cost {0}', roundedPrice(cost));
  if (estimate === undefined || outcome === 'failed' || unsent === true) return undefined;
  return l10n.t('cost ≈ {0}', roundedPrice(estimate));
}

function costInFull(run: MediaRun): string | undefined {
  const { cost, estimate } = run;
  if (cost !== undefined) return l10n.t('{0}, as the service says', numberText(cost, 0, 20));
  if (estimate === undefined || costWords(run) === undefined) return undefined;
  return l10n.t('≈ {0}, by the catalogue’s prices', roundedPrice(estimate));
}

function videoRows(parameters: Extract<MediaParameters, { kind: 'video' }>) {
  const { duration, resolution, fps, aspectRatio, image, audio, draft, saveAudio, promptUpsampling } = parameters;
  return [
    [l10n.t('Duration'), duration === undefined ? undefined : l10n.t('{0} s', numberText(duration, 0, 2))],
    [l10n.t('Resolution'), resolution],
    [l10n.t('Frames per second'), fps?.toString()],
    [l10n.t('Aspect ratio'), aspectRatio],
    [l10n.t('Image'), inputWords(image)],
    [l10n.t('Sound'), inputWords(audio)],
    [l10n.t('Draft'), yesNo(draft)],
    [l10n.t('Keep the sound'), yesNo(saveAudio)],
    [l10n.t('Improve the prompt'), yesNo(promptUpsampling)],
  ] as const;
}

function imageRows({ width, height, steps, cfg, seed, format }: Extract<MediaParameters, { kind: 'image' }>) {
  return [
    [l10n.t('Size'), width === undefined || height === undefined ? undefined : `${width} × ${height}`],
    [l10n.t('Steps'), steps?.toString()],
    [l10n.t('Guidance'), cfg === undefined ? undefined : numberText(cfg, 0, 20)],
    [l10n.t('Seed'), seed?.toString()],
    [l10n.t('Format'), format],
  ] as const;
}

function inputWords(input: MediaInput | undefined): string | undefined {
  if (input === undefined) return undefined;
  return input.kind === 'file' ? input.name : input.url.startsWith('data:') ? 'data:' : input.url;
}

function yesNo(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? l10n.t('yes') : l10n.t('no');
}
