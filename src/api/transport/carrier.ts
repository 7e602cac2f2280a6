import type { ApiFailure } from '../../shared/apiFailure.ts';

/** A request that is ready for the wire. */
export interface CarriedRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Names in lower case. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The head of an answer. */
export interface CarriedHead {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly allHeaders: () => HeaderList;
}

/** What happens on the way, in this order: `sent`, `head`, any number of `data`, then `end` or `failed`. */
export interface CarrierEvents {
  /** From here on a byte of the request may have left. */
  sent(): void;
  head(head: CarriedHead): void;
  data(chunk: Uint8Array): void;
  end(): void;
  /** At any point, once, and nothing after it. */
  failed(failure: ApiFailure, cause: unknown): void;
}

/** The handle on a request under way. */
export interface Carriage {
  pause(): void;
  resume(): void;
  /** The rest of the answer is not wanted. No event comes after this. */
  finish(): void;
  /** Closes the socket at once. No event comes after this. */
  destroy(): void;
}
