import type { CheckDetailView, ChecksExportForm, ChecksOrder, ChecksView } from '../checks.ts';

export type ChecksToPage =
  | { readonly type: 'checks'; readonly view: ChecksView }
  | { readonly type: 'detail'; readonly detail: CheckDetailView };

export type ChecksToHost =
  | { readonly type: 'ready' }
  | { readonly type: 'run' }
  | { readonly type: 'stop' }
  | { readonly type: 'newFile' }
  | { readonly type: 'showAll' }
  /** Deletes the results of the files on the page. The host asks first. */
  | { readonly type: 'deleteResults' }
  | { readonly type: 'order'; readonly order: ChecksOrder }
  | { readonly type: 'useModel'; readonly key: string }
  | { readonly type: 'open'; readonly uri: string; readonly caseId: string; readonly key: string }
  | { readonly type: 'showLine'; readonly uri: string; readonly line: number }
  | { readonly type: 'showRequest'; readonly attempt: string }
  | { readonly type: 'export'; readonly form: ChecksExportForm };
