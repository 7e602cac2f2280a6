import { mainServiceId } from '../../shared/modelRef.ts';
import type { ApiChoice, ApiForm } from '../../api/types.ts';
import type { StatedModels } from '../models/statedModel.ts';

/** The user's settings for one service. Texts are as they were written; empty if they weren't set. */
export interface ServiceEntry {
  /** Identifies the service in everything that is stored. Stays the same when its name or its URLs change. */
  readonly id: string;
  /** Empty if the user set none; then the host is its name. */
  readonly name: string;
  readonly baseUrl: string;
  /** Empty if it's derived from the base URL. */
  readonly nativeUrl: string;
  /** The derived one leads to another service in the list, so nothing is sent there. */
  readonly isNativeElsewhere: boolean;
  /** The service's own name in native paths. */
  readonly nativeSegment: string;
  /** Empty if the service has no older host. */
  readonly fallbackBaseUrl: string;
  readonly keysPage: string;
  readonly creditsPage: string;
  readonly inferenceLogPage: string;
  /** The API for chats without images. */
  readonly chatApi: ApiForm;
  /** The API for chats with images. */
  readonly imageApi: ApiChoice;
  /** The API for generated images and transcripts. */
  readonly mediaApi: ApiChoice;
  /** Sent with each request. Never a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** Currency units per day that its requests can cost before Parlance warns; null for no separate limit. */
  readonly dailyBudget: number | null;
  /** The user's own details about its models. */
  readonly models: StatedModels;
}

/** A service that nothing is known about except its ID. */
export const emptyEntry: ServiceEntry = {
  id: mainServiceId,
  name: '',
  baseUrl: '',
  nativeUrl: '',
  isNativeElsewhere: false,
  nativeSegment: 'svcai',
  fallbackBaseUrl: '',
  keysPage: '',
  creditsPage: '',
  inferenceLogPage: '',
  chatApi: 'compatible',
  imageApi: 'auto',
  mediaApi: 'auto',
  headers: {},
  dailyBudget: null,
  models: {},
};

export const maxServices = 50;
export const maxNameLength = 60;
