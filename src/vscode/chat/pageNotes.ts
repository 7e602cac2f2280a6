import * as l10n from '@vscode/l10n';
import type { NoteView } from '../../shared/protocol/chatProtocol.ts';
import { numberText } from '../../words/numberText.ts';
import type { CancelButton, NotePlace, ProgressNote } from '../platform/notePlaces.ts';

const maxInfo = 3;

interface OpenNote {
  readonly id: string;
  readonly severity: NoteView['severity'];
  text: string;
  readonly buttons: readonly string[];
  readonly settle: (button: string | undefined) => void;
  /** Oldest first. Several are of messages of one conversation. */
  deletions: readonly Deletion[];
  /**
   * IDs of the notes that it replaced, because they had the same words or were about some of its deletions. The page
   * might not know yet when a button of theirs is pressed.
   */
  readonly replaced?: readonly string[];
}

/** Something that the user deleted: data, because the page that it was deleted in may be gone when it's undone. */
export type Deletion = DeletedMessages | DeletedConversation;

interface DeletedMessages {
  readonly ids: readonly string[];
  /** The conversation that they were deleted from, which is where they can be restored. */
  readonly from: string;
}

interface DeletedConversation {
  readonly ids: readonly [string];
  readonly from?: undefined;
  readonly title: string;
}

interface NotesChannel {
  readonly isOpen: boolean;
  post(fact: { readonly type: 'notesChanged'; readonly notes: readonly NoteView[] }): void;
}

/** The messages above a page's message box. They outlive a page that is hidden. */
export class PageNotes implements NotePlace {
  #channel: NotesChannel | undefined;
  #undo: (deletion: Deletion) => void = () => undefined;
  readonly #open: OpenNote[] = [];
  #conversation = '';

  /**
   * The page that shows them from now on. It gets those that are open with its snapshot.
   * @param undo restores in this page what was deleted, perhaps in the page before it
   */
  useChannel(channel: NotesChannel, undo: (deletion: Deletion) => void = () => undefined): void {
    this.#channel = channel;
    this.#undo = undo;
  }

  /** Messages that were deleted from another conversation can be restored once that is shown again. */
  showing(conversationId: string): void {
    this.#conversation = conversationId;
    // A conversation on screen has been restored.
    this.restored((id) => id === conversationId);
  }

  /** Oldest first. */
  get view(): readonly NoteView[] {
    return this.#inView.map(({ id, severity, text, buttons }) => ({ id, severity, text, buttons }));
  }

  tell(severity: 'info' | 'warning' | 'error', text: string, buttons: readonly string[]): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const same = this.#open.filter((note) => note.severity === severity && note.text === text);
    this.#remove(same);
    const infos = this.#open.filter((note) => note.severity === 'info');
    if (severity === 'info') this.#remove(infos.slice(0, Math.max(0, infos.length + 1 - maxInfo)));
    const replaced = same.map(({ id }) => id);
    this.#add({ id: crypto.randomUUID(), severity, text, buttons, settle: resolve, deletions: [], replaced });
    return promise;
  }

  begin(text: string, cancel?: CancelButton): ProgressNote {
    const note: OpenNote = {
      id: crypto.randomUUID(),
      severity: 'busy',
      text,
      buttons: cancel === undefined ? [] : [cancel.label],
      settle: (button) => {
        if (button !== undefined) cancel?.run();
      },
      deletions: [],
    };
    this.#add(note);
    return {
      say: (words) => {
        note.text = words;
        this.#post();
      },
      end: () => {
        this.#remove([note]);
        this.#post();
      },
    };
  }

  /**
   * Stays until it's used or dismissed, whatever else is deleted, and however often the page is hidden. Messages of one
   * conversation that are deleted one after another share a note, which is a new one, so that it's read out.
   */
  offerUndo(deletion: Deletion): void {
    const label = l10n.t('Undo');
    const { from } = deletion;
    const inSight = ({ deletions: [first] }: OpenNote): boolean =>
      first !== undefined && [undefined, from].includes(first.from);
    const last = this.#open.findLast(inSight);
    const joined = from !== undefined && last?.deletions[0]?.from === from ? last : undefined;
    if (joined !== undefined) this.#remove([joined]);
    const deletions = [...(joined?.deletions ?? []), deletion];
    const note: OpenNote = {
      id: crypto.randomUUID(),
      severity: 'undo',
      text: deletedText(deletions),
      buttons: [label],
      settle: (button) => {
        // The newest first, so that the version of a message that was shown at first is shown again.
        if (button === label) for (const each of note.deletions.toReversed()) this.#undo(each);
      },
      deletions,
      replaced: joined === undefined ? [] : [joined.id, ...(joined.replaced ?? [])],
    };
    this.#add(note);
  }

  /** What has been restored, perhaps in another page, can't be restored again. */
  restored(isThere: (id: string) => boolean): void {
    const isOver = ({ ids }: Deletion): boolean => ids.some((id) => isThere(id));
    const changed = this.#open.filter(({ deletions }) => deletions.some(isOver));
    if (changed.length === 0) return;
    for (const note of changed) {
      note.deletions = note.deletions.filter((deletion) => !isOver(deletion));
      note.text = deletedText(note.deletions);
    }
    this.#remove(changed.filter(({ deletions }) => deletions.length === 0));
    this.#post();
  }

  /** @param button its label; undefined if the user dismissed the note */
  ended(id: string, button: string | undefined): void {
    const note = this.#open.find((each) => each.id === id || each.replaced?.includes(id) === true);
    if (note === undefined || (button !== undefined && !note.buttons.includes(button))) return;
    // The user has only seen that less was deleted.
    if (button === undefined && note.severity === 'undo' && note.id !== id) return;
    this.#remove([note], button);
    this.#post();
  }

  /** The user has asked something, so earlier confirmations are done. */
  asked(): void {
    const done = this.#inView.filter(({ severity }) => severity === 'info' || severity === 'undo');
    if (done.length === 0) return;
    this.#remove(done);
    this.#post();
  }

  dispose(): void {
    this.#remove([...this.#open]);
  }

  get #inView(): readonly OpenNote[] {
    return this.#open.filter(({ deletions }) => [undefined, this.#conversation].includes(deletions[0]?.from));
  }

  #add(note: OpenNote): void {
    this.#open.push(note);
    this.#post();
  }

  #remove(notes: readonly OpenNote[], button?: string): void {
    for (const note of notes) {
      const index = this.#open.indexOf(note);
      if (index < 0) continue;
      this.#open.splice(index, 1);
      note.settle(button);
    }
  }

  /** A page that's hidden gets them with its snapshot. */
  #post(): void {
    if (this.#channel?.isOpen === true) this.#channel.post({ type: 'notesChanged', notes: this.view });
  }
}

function deletedText(deletions: readonly Deletion[]): string {
  const [first] = deletions;
  if (first !== undefined && first.from === undefined) return l10n.t('Deleted "{0}".', first.title);
  const count = deletions.flatMap(({ ids }) => ids).length;
  return count === 1 ? l10n.t('Message deleted.') : l10n.t('{0} messages deleted.', numberText(count));
}
