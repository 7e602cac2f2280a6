import * as l10n from '@vscode/l10n';
import { FigureFormat } from '../kit/figureFormat.ts';

/** Numbers of the usage page as people of this language write them. */
export class UsageFormat {
  readonly #figures: FigureFormat;
  readonly #short: Intl.NumberFormat;
  readonly #language: string | undefined;

  constructor(language: string | undefined) {
    this.#language = language;
    this.#figures = new FigureFormat(language);
    this.#short = new Intl.NumberFormat(language, { notation: 'compact', maximumSignificantDigits: 3 });
  }

  count(value: number): string {
    return this.#figures.count(value);
  }

  /** `8.4K`, for sums that may be long. */
  short(value: number): string {
    return this.#short.format(value);
  }

  /** Two decimals that say something: cheap models cost thousandths. */
  cost(value: number): string {
    const digits =
      value >= 1 ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumSignificantDigits: 2 };
    return new Intl.NumberFormat(this.#language, digits).format(value);
  }

  seconds(value: number | undefined): string {
    return value === undefined ? '–' : this.#figures.seconds(value);
  }

  rate(value: number | undefined): string {
    return value === undefined ? '–' : l10n.t('{0} tok/s', this.#figures.rate(value));
  }

  /** `Nov 21`. */
  day(day: string): string {
    const date = new Date(`${day}T12:00:00`);
    return date.toLocaleDateString(this.#language, { month: 'short', day: 'numeric' });
  }
}
