import type * as vscode from 'vscode';
import type { Comparison } from '../../core/compare/comparison.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import type { PromptMenu } from '../chat/chatPageHost.ts';
import type { VoteStore } from '../models/voteStore.ts';
import type { PageLog } from '../platform/pages/pagePort.ts';
import type { WithheldRequests } from '../requests/log/withheldRequests.ts';
import type { BlindRequests } from './blindVoting.ts';
import type { ReplyActsDeps } from './comparedReplyActs.ts';
import type { CompareViewDeps } from './compareViews.ts';
import type { ComparisonAskingDeps } from './comparisonAsking.ts';

/** What the page of a comparison needs from the rest of the extension. */
export interface ComparePageDeps
  extends Omit<CompareViewDeps, 'modelOf' | 'sharedOptions'>, ComparisonAskingDeps, ReplyActsDeps {
  readonly onDidChangeChatDefaults: vscode.Event<unknown>;
  /** @returns a function that ends the subscription. */
  readonly onDidChangeModels: (listener: () => void) => () => void;
  readonly pickModel: (current: ModelRef | undefined) => Promise<ModelRef | undefined>;
  readonly prompts: PromptMenu;
  /** Opens a connection ahead of requests. */
  readonly warm: (model: ModelRef | undefined) => Promise<void>;
  readonly runAction: (action: ProblemActionKind, service?: string) => Promise<void>;
  /** Blind questions, whose requests are in no list until the vote. */
  readonly withheld: Pick<WithheldRequests, 'add' | 'join' | 'onDidChange' | keyof BlindRequests>;
  /** The votes of all comparisons. */
  readonly votes: Pick<VoteStore, 'add' | 'all'>;
  /** Lets the user select a stored one. */
  readonly openComparison: () => Promise<void>;
  readonly newComparison: () => Promise<void>;
  /** Deletes one, if the user confirms. */
  readonly deleteComparison: (id: string) => Promise<void>;
  readonly onUnexpected: (error: unknown) => void;
  readonly pageLog: PageLog;
  /** Its columns changed: they're kept for the next time it's opened. */
  readonly keepColumns: (comparison: Comparison) => void;
  /** Its title changed, or the comparison it shows. */
  readonly onDidChange: (comparison: Comparison) => void;
}
