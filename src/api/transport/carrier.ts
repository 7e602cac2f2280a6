import type { ApiFailure } from '../../shared/apiFailure.ts';

/** A request that is ready to send. */
export interface CarriedRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** In lower case. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The head of a response. */
export interface CarriedHead {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly allHeaders: () => HeaderList;
}

/** What happens on the way, in this order: `sent`, `head`, any number of `data`, then `end` or `failed`. */
export interface CarrierEvents {
  /** From here on, a byte of the request might have been sent. */
  sent(): void;
  head(head: CarriedHead): void;
  data(chunk: Uint8Array): void;
  end(): void;
  /** Called at most once, at any point, and nothing follows it. */
  failed(failure: ApiFailure, cause: unknown): void;
}

/** The handle of a running request. */
export interface Carriage {
  pause(): void;
  resume(): void;
  /** The rest of the response isn't wanted. No event follows. */
  finish(): void;
  /** Closes the socket at once. No event follows. */
  destroy(): void;
}
