import { type Bounds, isWithin } from '../../shared/numberKinds.ts';

/** Turns a value in settings.json into a setting's value, or into undefined if it's invalid. */
export type SettingRule<T> = (raw: unknown) => T | undefined;

/** The part of `WorkspaceConfiguration.inspect()` that only the user of this VS Code wrote. */
export interface OwnLayers {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
}

/**
 * The user's own value or the default. Workspace, folder, and language values are ignored, because a repository can set
 * those.
 */
export function ownValue(layers: OwnLayers | undefined): unknown {
  return layers?.globalValue ?? layers?.defaultValue;
}

export function textUpTo(maxLength: number): SettingRule<string> {
  return (raw) => (typeof raw === 'string' && raw.length <= maxLength ? raw : undefined);
}

/** For a setting that is parsed field by field elsewhere. */
export function anything(raw: unknown): unknown {
  return raw;
}

/** A relative path with forward slashes that doesn't lead upward; empty for none. */
export function innerFolder(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || raw.length > 256) return undefined;
  const steps = raw.trim() === '' ? [] : raw.trim().replace(/\/$/, '').split('/');
  return steps.every(isFolderName) ? steps.join('/') : undefined;
}

function isFolderName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- file systems don't accept control characters
  return name !== '' && !/^\.+$|[\\:*?"<>|\u0000-\u001f]|[. ]$/.test(name);
}

export function flag(raw: unknown): boolean | undefined {
  return typeof raw === 'boolean' ? raw : undefined;
}

/** One of these words. */
export function oneOf<T extends string>(words: readonly T[]): SettingRule<T> {
  return (raw) => words.find((word) => word === raw);
}

/** A number within limits. Null means that it isn't set and therefore not sent. */
export function numberOrUnset(bounds: Bounds): SettingRule<number | null> {
  return (raw) => {
    if (raw === null) {
      return null;
    }
    return typeof raw === 'number' && isWithin(raw, bounds) ? raw : undefined;
  };
}

/** A number within limits. */
export function numberFrom(min: number, max: number): SettingRule<number> {
  return (raw) => (typeof raw === 'number' && raw >= min && raw <= max ? raw : undefined);
}
