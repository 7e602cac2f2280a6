import type { ModelRef } from '../../shared/modelRef.ts';
import type { FormValues, InputName, MediaInput, MediaKind, MediaParameters } from '../../shared/media.ts';
import type { FieldDefaults, RejectedField } from '../../shared/protocol/mediaProtocol.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { PageLog } from '../platform/pages/pagePort.ts';
import type { FormMemory } from './formMemory.ts';
import type { MediaActs } from './mediaActs.ts';
import type { MediaGallery } from './mediaGallery.ts';

export interface MediaPageDeps {
  readonly gallery: MediaGallery;
  readonly forms: FormMemory;
  readonly acts: MediaActs;
  readonly explainer: Explainer;
  readonly pickModel: (kind: MediaKind, current: string) => Promise<string | undefined>;
  /** Says that a model's service is known to lack this. */
  readonly lackOf: (kind: MediaKind, model: ModelRef) => string | undefined;
  /** The model that a user means by a text. */
  readonly writtenModel: (text: string) => ModelRef;
  /** A model's price according to the model list, in words. */
  readonly pricesOf: (model: ModelRef) => string | undefined;
  /** The model's defaults for empty fields. */
  readonly defaultsOf: (kind: MediaKind, model: ModelRef) => FieldDefaults;
  /** The only model that can do this; undefined if there are none or several. */
  readonly onlyModel: (kind: MediaKind) => Promise<string | undefined>;
  /** Fetches the model list if it was never fetched. */
  readonly fetchModels: () => Promise<void>;
  readonly chooseInput: (field: InputName) => Promise<MediaInput | undefined>;
  readonly openForm: (kind: MediaKind, values?: FormValues, rejected?: RejectedField) => Promise<void>;
  /** Puts the offered model, or one that the user selects, into the form. Nothing is sent, because that costs money. */
  readonly otherModel: (before: MediaParameters, offered: string | undefined) => Promise<void>;
  readonly runAction: (action: ProblemActionKind, service?: string) => Promise<void>;
  /** The pages that are at least partly visible. */
  readonly shown: Set<{ shows(kind: MediaKind): boolean }>;
  /** A run that a page started has ended. */
  readonly onOver: (id: string) => void;
  /** Settles when a request could be sent, or throws the reason why not. */
  readonly checkSetup: (model: ModelRef) => Promise<unknown>;
  readonly onUnexpected: (error: unknown) => void;
  readonly pageLog: PageLog;
}
