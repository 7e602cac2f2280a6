import type { FormValues, MediaParameters, TextField } from '../../shared/media.ts';

/** A form that asks for what was asked for: to vary it. */
export function formValuesOf(parameters: MediaParameters): FormValues {
  const { image, audio } = parameters.kind === 'video' ? parameters : {};
  const texts: Partial<Record<TextField, string>> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (isTextField(name) && typeof value !== 'object' && value !== undefined) texts[name] = textOf(value);
  }
  if (parameters.kind === 'image' && parameters.width !== undefined && parameters.height !== undefined) {
    texts.size = `${parameters.width}x${parameters.height}`;
  }
  return { texts, inputs: { ...(image !== undefined && { image }), ...(audio !== undefined && { audio }) } };
}

function textOf(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

const names: Readonly<Record<TextField, true>> = {
  prompt: true,
  model: true,
  duration: true,
  resolution: true,
  fps: true,
  aspectRatio: true,
  draft: true,
  saveAudio: true,
  promptUpsampling: true,
  size: true,
  steps: true,
  cfg: true,
  seed: true,
  format: true,
};

function isTextField(name: string): name is TextField {
  return Object.hasOwn(names, name);
}
