import * as l10n from '@vscode/l10n';

/** Numbers and moments as people of this language write them, short enough to compare at a glance. */
export class FigureFormat {
  readonly #whole: Intl.NumberFormat;
  readonly #one: Intl.NumberFormat;
  readonly #two: Intl.NumberFormat;
  readonly #language: string | undefined;

  constructor(language: string | undefined) {
    this.#language = language;
    const format = (digits: number): Intl.NumberFormat =>
      new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    this.#whole = format(0);
    this.#one = format(1);
    this.#two = format(2);
  }

  /** `0.31 s`, `3.4 s`, `42 s`, `2 min 5 s`. */
  seconds(value: number): string {
    if (value < 0.995) return l10n.t('{0} s', this.#two.format(value));
    if (value < 9.95) return l10n.t('{0} s', this.#one.format(value));
    const whole = Math.round(value);
    if (whole < 60) return l10n.t('{0} s', this.#whole.format(whole));
    return l10n.t('{0} min {1} s', this.#whole.format(Math.floor(whole / 60)), this.#whole.format(whole % 60));
  }

  /** `84`, `7.3`. */
  rate(tokensPerSecond: number): string {
    return (tokensPerSecond < 9.95 ? this.#one : this.#whole).format(tokensPerSecond);
  }

  count(value: number): string {
    return this.#whole.format(value);
  }

  /** Date and time. @param at Unix time in milliseconds */
  moment(at: number): string {
    return new Date(at).toLocaleString(this.#language);
  }

  /** @param at Unix time in milliseconds */
  timeOfDay(at: number): string {
    return new Date(at).toLocaleTimeString(this.#language, { hour: '2-digit', minute: '2-digit' });
  }
}
