import * as l10n from '@vscode/l10n';
import type { MediaKind, TextField } from '../../shared/media.ts';

export interface FieldSpec {
  readonly name: TextField;
  readonly label: string;
  /** Offered, not the only ones. */
  readonly suggestions?: readonly string[];
  /** Of a choice between on and off: what the service does where nothing is sent. */
  readonly isOnByDefault?: boolean;
  readonly inputMode?: 'numeric' | 'decimal';
}

/** The fields besides prompt, model and input files, in the order of the form. */
export function fieldsOf(kind: MediaKind): readonly FieldSpec[] {
  return kind === 'video'
    ? [
        {
          name: 'duration',
          label: l10n.t('Duration in seconds'),
          suggestions: ['5', '8', '10', '15'],
          inputMode: 'numeric',
        },
        { name: 'resolution', label: l10n.t('Resolution'), suggestions: ['480p', '720p', '1080p'] },
        {
          name: 'fps',
          label: l10n.t('Frames per second'),
          suggestions: ['24', '25', '30', '60'],
          inputMode: 'numeric',
        },
        { name: 'aspectRatio', label: l10n.t('Aspect ratio'), suggestions: ['16:9', '9:16', '1:1', '4:3', '21:9'] },
      ]
    : [
        { name: 'size', label: l10n.t('Size'), suggestions: ['512x512', '1024x1024', '1024x768', '768x1024'] },
        { name: 'format', label: l10n.t('Format'), suggestions: ['png', 'jpeg', 'webp'] },
        { name: 'steps', label: l10n.t('Steps'), suggestions: ['20', '30', '50'], inputMode: 'numeric' },
        { name: 'cfg', label: l10n.t('Guidance (cfg)'), suggestions: ['5', '7', '9'], inputMode: 'decimal' },
        { name: 'seed', label: l10n.t('Seed'), inputMode: 'numeric' },
      ];
}

export function choicesOf(kind: MediaKind): readonly FieldSpec[] {
  return kind === 'video'
    ? [
        { name: 'draft', label: l10n.t('Draft'), isOnByDefault: false },
        { name: 'saveAudio', label: l10n.t('Keep the sound'), isOnByDefault: true },
        { name: 'promptUpsampling', label: l10n.t('Improve the prompt'), isOnByDefault: true },
      ]
    : [];
}
