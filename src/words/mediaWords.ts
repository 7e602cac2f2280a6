import * as l10n from '@vscode/l10n';
import type { FieldName, MediaKind } from '../shared/media.ts';

/** `generate` is the title of the form and of its button. `appear` is shown while there are none. */
type KindWord = 'generate' | 'appear' | 'made' | 'failed' | 'madeOf' | 'unsavedOf' | 'failedOf';

/** @param what the prompt or the model, for users who are looking elsewhere. */
export function kindWords(kind: MediaKind, what = ''): Readonly<Record<KindWord, string>> {
  const words: Readonly<Record<MediaKind, ReturnType<typeof kindWords>>> = {
    video: {
      generate: l10n.t('Generate Video'),
      appear: l10n.t('Videos you generate appear here.'),
      made: l10n.t('The video is ready.'),
      failed: l10n.t('The video failed.'),
      madeOf: l10n.t('The video is ready: {0}', what),
      unsavedOf: l10n.t("The video was generated but couldn't be saved: {0}", what),
      failedOf: l10n.t('The video failed: {0}', what),
    },
    image: {
      generate: l10n.t('Generate Image'),
      appear: l10n.t('Images you generate appear here.'),
      made: l10n.t('The image is ready.'),
      failed: l10n.t('The image failed.'),
      madeOf: l10n.t('The image is ready: {0}', what),
      unsavedOf: l10n.t("The image was generated but couldn't be saved: {0}", what),
      failedOf: l10n.t('The image failed: {0}', what),
    },
  };
  return words[kind];
}

/** `name` is short, for a list of what was set. `label` is the longer one in the form, `title` the one in buttons. */
export function fieldWords(field: FieldName): Required<FieldWords> {
  const words: Readonly<Record<FieldName, FieldWords>> = {
    prompt: { name: l10n.t('Prompt') },
    duration: { name: l10n.t('Duration'), label: l10n.t('Duration in seconds') },
    resolution: { name: l10n.t('Resolution') },
    fps: { name: l10n.t('Frames per second'), title: l10n.t('Frames per Second') },
    aspectRatio: { name: l10n.t('Aspect ratio'), title: l10n.t('Aspect Ratio') },
    image: { name: l10n.t('Image'), label: l10n.t('Image to start from') },
    audio: { name: l10n.t('Audio'), label: l10n.t('Audio track') },
    draft: { name: l10n.t('Draft') },
    saveAudio: { name: l10n.t('Keep audio'), title: l10n.t('Audio Output') },
    promptUpsampling: { name: l10n.t('Improve the prompt'), title: l10n.t('Prompt Improvement') },
    size: { name: l10n.t('Size') },
    format: { name: l10n.t('Format') },
    steps: { name: l10n.t('Steps') },
    cfg: { name: l10n.t('Guidance'), label: l10n.t('Guidance (cfg)') },
    seed: { name: l10n.t('Seed') },
  };
  const { name, label = name, title = name } = words[field];
  return { name, label, title };
}

interface FieldWords {
  readonly name: string;
  readonly label?: string;
  readonly title?: string;
}
