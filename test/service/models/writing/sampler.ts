import { seededRandom } from '../../seededRandom.ts';

interface Sampling {
  readonly seed: string;
  /** 0 always takes the best option. */
  readonly temperature: number;
  /** Share of the likelihood that is sampled from, above 0 and at most 1. */
  readonly topP: number;
}

/** How much less likely, as a logarithm, each option is than the one before it. */
const rankStep = 0.5;

/**
 * Chooses among options that are given best first, as a language model chooses a token: softmax with a
 * temperature, cut to a nucleus. The same seed and settings always choose the same.
 */
export class Sampler {
  readonly #sampling: Sampling;
  readonly #random: () => number;

  constructor(sampling: Sampling) {
    this.#sampling = sampling;
    this.#random = seededRandom(sampling.seed);
  }

  /** One of `options`, which must not be empty. */
  pick<T>(options: readonly T[]): T {
    const weights = this.#nucleus(options.length);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let rest = this.#random() * total;
    const index = weights.findIndex((weight) => (rest -= weight) < 0);
    const picked = options[Math.max(0, index)];
    if (picked === undefined) throw new RangeError('Nothing to choose from');
    return picked;
  }

  /** Endless: all of `options` in a chosen order, then all of them again in another. */
  *cycle<T>(options: readonly T[]): Generator<T, never, undefined> {
    for (;;) yield* this.shuffle(options);
  }

  /** All of `options` in a chosen order. */
  shuffle<T>(options: readonly T[]): T[] {
    const left = [...options];
    return options.map(() => {
      const picked = this.pick(left);
      left.splice(left.indexOf(picked), 1);
      return picked;
    });
  }

  #nucleus(count: number): number[] {
    const { temperature, topP } = this.#sampling;
    const weights = Array.from({ length: count }, (_, rank) =>
      temperature === 0 ? Number(rank === 0) : Math.exp((-rankStep * rank) / temperature),
    );
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let before = 0;
    return weights.map((weight) => {
      const kept = before < topP * total ? weight : 0;
      before += weight;
      return kept;
    });
  }
}
