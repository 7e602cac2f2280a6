import { mainServiceId } from '../../shared/modelRef.ts';
import type { ApiChoice, ApiForm } from '../../api/types.ts';

/** What the user set about one service. Texts are as they were written; empty where nothing was. */
export interface ServiceEntry {
  /** Names the service in all that is kept: stays the same when its name or its addresses change. */
  readonly id: string;
  /** Empty where the user gave none: its host names it then. */
  readonly name: string;
  readonly baseUrl: string;
  /** Empty when it's derived from the base URL. */
  readonly nativeUrl: string;
  /** The service's own name in native paths. */
  readonly nativeSegment: string;
  /** Empty when the service has no older host. */
  readonly fallbackBaseUrl: string;
  readonly keysPage: string;
  readonly creditsPage: string;
  readonly inferenceLogPage: string;
  /** The API that chats without pictures go to. */
  readonly chatApi: ApiForm;
  /** The API that pictures are sent to. */
  readonly imageApi: ApiChoice;
  /** The API that images and transcripts are asked of. */
  readonly mediaApi: ApiChoice;
  /** Sent with each request; never a secret. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A service of which nothing is known but its ID. */
export const emptyEntry: ServiceEntry = {
  id: mainServiceId,
  name: '',
  baseUrl: '',
  nativeUrl: '',
  nativeSegment: 'svcai',
  fallbackBaseUrl: '',
  keysPage: '',
  creditsPage: '',
  inferenceLogPage: '',
  chatApi: 'compatible',
  imageApi: 'auto',
  mediaApi: 'auto',
  headers: {},
};

export const maxServices = 50;
export const maxNameLength = 60;
