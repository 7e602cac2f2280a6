import type { NoteView } from '../../shared/chatProtocol.ts';

type Told = Exclude<NoteView['severity'], 'busy'>;

/** A task in progress. */
export interface ProgressNote {
  say(text: string): void;
  end(): void;
}

export interface CancelButton {
  readonly label: string;
  readonly run: () => void;
}

/** A page that shows messages itself. */
export interface NotePlace {
  /** @returns the button that was pressed, or undefined once the message is gone */
  tell(severity: Told, text: string, buttons: readonly string[]): Promise<string | undefined>;
  /** Without `cancel`, the task can't be canceled. */
  begin(text: string, cancel?: CancelButton): ProgressNote;
}

/**
 * Decides where a message goes: VS Code's notifications cover the message box of a chat that's in view, so there the
 * chat shows it.
 */
class NotePlaces {
  #find: () => NotePlace | undefined = () => undefined;

  /** @param find the page that's in view, if any */
  use(find: () => NotePlace | undefined): { dispose(): void } {
    this.#find = find;
    return { dispose: () => (this.#find = () => undefined) };
  }

  get inView(): NotePlace | undefined {
    return this.#find();
  }
}

export const notePlaces = new NotePlaces();
