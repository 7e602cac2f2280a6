import { type Bounds, isWithin } from '../../shared/numberKinds.ts';

/** Turns what stands in settings.json into a value, or into undefined where it does not fit. */
export type SettingRule<T> = (raw: unknown) => T | undefined;

/** The part of `WorkspaceConfiguration.inspect()` that a person wrote in this VS Code, and nobody else. */
export interface OwnLayers {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
}

/**
 * The user's own value or the default. Workspace, folder and language layers are not looked at: a
 * repository can write those.
 */
export function ownValue(layers: OwnLayers | undefined): unknown {
  return layers?.globalValue ?? layers?.defaultValue;
}

export function textUpTo(maxLength: number): SettingRule<string> {
  return (raw) => (typeof raw === 'string' && raw.length <= maxLength ? raw : undefined);
}

/** For a setting that is read field by field elsewhere. */
export function anything(raw: unknown): unknown {
  return raw;
}

/** A relative path with forward slashes that leads no way up; empty for none. */
export function innerFolder(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw.length > 256) return undefined;
  const steps = raw.trim() === '' ? [] : raw.trim().replace(/\/$/, '').split('/');
  return steps.every(isFolderName) ? steps.join('/') : undefined;
}

function isFolderName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- no file system takes them
  return name !== '' && !/^\.+$|[\\:*?"<>|\u0000-\u001f]|[. ]$/.test(name);
}

export function flag(raw: unknown): boolean | undefined {
  return typeof raw === 'boolean' ? raw : undefined;
}

/** One of these words. */
export function oneOf<T extends string>(words: readonly T[]): SettingRule<T> {
  return (raw) => words.find((word) => word === raw);
}

/** A number within bounds; null means that it is not set and so not sent. */
export function numberOrUnset(bounds: Bounds): SettingRule<number | null> {
  return (raw) => {
    if (raw === null) {
      return null;
    }
    return typeof raw === 'number' && isWithin(raw, bounds) ? raw : undefined;
  };
}

/** A number within bounds. */
export function numberFrom(min: number, max: number): SettingRule<number> {
  return (raw) => (typeof raw === 'number' && raw >= min && raw <= max ? raw : undefined);
}
