let language = 'en';
const formats = new Map<string, Intl.NumberFormat>();

/** From now on numbers are written as in this language: said once, with the texts. @param tag such as `de` or `pt-br` */
export function writeNumbersIn(tag: string): void {
  language = tag;
  formats.clear();
}

export function writtenLanguage(): string {
  return language;
}

/** A number as people write it, such as `12,412` or `0,31`, with so many decimals. A program reads `String(value)`. */
export function numberText(value: number, least = 0, most = least): string {
  const key = `${least} ${most}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most });
    formats.set(key, format);
  }
  return format.format(value);
}

/** `66%`, `66 %` in French. @param share of one */
export function percentText(share: number): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}
