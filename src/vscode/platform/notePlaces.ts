import type { NoteView } from '../../shared/protocol/chatProtocol.ts';

type Told = Exclude<NoteView['severity'], 'busy' | 'undo'>;

/** A task in progress. */
export interface ProgressNote {
  say(text: string): void;
  end(): void;
}

export interface CancelButton {
  readonly label: string;
  readonly run: () => void;
}

/** A page that shows messages itself, above its message box. */
export interface NotePlace {
  /** @returns the button that was pressed, or undefined once the message is gone */
  tell(severity: Told, text: string, buttons: readonly string[]): Promise<string | undefined>;
  /** Without `cancel`, the task can't be canceled. */
  begin(text: string, cancel?: CancelButton): ProgressNote;
}

/** How close a page in view is to the user: it has the focus, its tab is the active one, or it's beside that. */
const closeness = ['focused', 'active', 'beside'] as const;

export interface NotePlaceInView {
  readonly place: NotePlace;
  readonly closeness: (typeof closeness)[number];
}

type FindPlaces = () => readonly NotePlaceInView[];

/**
 * Decides where a message goes: VS Code's notifications cover the message box of a page that's in view, so there the
 * page shows it. If there are several pages, it's the one closest to the user.
 */
export class NotePlaces {
  readonly #finders = new Set<FindPlaces>();

  /** @param find the pages of one kind that are in view, closest first */
  use(find: FindPlaces): { dispose(): void } {
    this.#finders.add(find);
    return { dispose: () => this.#finders.delete(find) };
  }

  get inView(): NotePlace | undefined {
    const places = [...this.#finders].flatMap((find) => find());
    for (const level of closeness) {
      const found = places.find((each) => each.closeness === level);
      if (found !== undefined) return found.place;
    }
    return undefined;
  }
}

export const notePlaces = new NotePlaces();
