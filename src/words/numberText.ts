let language = 'en';
const formats = new Map<string, Intl.NumberFormat>();

/**
 * Sets the language that numbers are formatted in, together with that of the texts.
 * @param tag a language tag: `de`, `pt-br`
 */
export function writeNumbersIn(tag: string): void {
  language = tag;
  formats.clear();
}

export function writtenLanguage(): string {
  return language;
}

/** A number as people write it, with this many decimals: `12,412`, `0,31`. Programs read `String(value)` instead. */
export function numberText(value: number, least = 0, most = least): string {
  const key = `${least} ${most}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most });
    formats.set(key, format);
  }
  return format.format(value);
}

/** `66%`, `66 %` in French. @param share from 0 to 1 */
export function percentText(share: number): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** With one decimal below 10, unless it's zero: `9`, `9.5`, `12`. */
export function shortNumberText(value: number): string {
  return numberText(value, 0, fewDecimals(value));
}

/** With one decimal below 10, even if it's zero, so that a changing figure keeps its width: `9.0`, `9.5`, `12`. */
export function steadyNumberText(value: number): string {
  return numberText(value, fewDecimals(value));
}

/** The same with two decimals below 1, for figures that can be as small: `0.68`, `8.4`, `117`. */
export function preciseNumberText(value: number): string {
  return value < 0.995 ? numberText(value, 2) : steadyNumberText(value);
}

function fewDecimals(value: number): number {
  return value < 9.95 ? 1 : 0;
}
