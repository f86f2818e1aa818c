package startscreen

import "fmt"

// AskWords are the words of a question in one language. A name or a time of day replaces %s.
type AskWords struct {
	Edit, Control                         string // questions
	MayEdit, MayControl                   string // sentences that are shown after a person has given the permission. A name replaces %s
	on                                    string // between a browser and its system
	asked, enter, until, refuse, orRefuse string
}

// askWords are the words in the set-up's languages with Latin letters, because the card's font has no other letters.
var askWords = map[string]*AskWords{
	"en": {
		"Allow %s to edit?", "Allow %s to control this wall?", "may edit this wall", "may control this wall", " on ",
		"asked at %s", "Enter these digits there.",
		"Not expected? Do nothing: it ends at %s.", "Refuse", "Or refuse here, or with Back on a remote.",
	},
	"de": {
		"Darf %s bearbeiten?", "Darf %s diese Wand steuern?", "darf diese Wand bearbeiten", "darf diese Wand steuern", " auf ",
		"gefragt um %s", "Geben Sie dort diese Ziffern ein.",
		"Nicht erwartet? Nichts tun: Die Anfrage endet um %s.", "Ablehnen", "Oder hier ablehnen, oder mit Zurück auf einer Fernbedienung.",
	},
	"fr": {
		"Autoriser %s à modifier ?", "Autoriser %s à commander ce mur ?", "peut modifier ce mur", "peut commander ce mur", " sur ",
		"demandé à %s", "Entrez ces chiffres là-bas.",
		"Inattendu ? Ne faites rien : fin à %s.", "Refuser", "Ou refusez ici, ou avec Retour sur une télécommande.",
	},
	"es": {
		"¿Permitir que %s edite?", "¿Permitir que %s controle este muro?",
		"puede editar este muro", "puede controlar este muro", " en ",
		"pedido a las %s", "Escriba allí estos dígitos.",
		"¿Inesperado? No haga nada: acaba a las %s.", "Rechazar", "O rechace aquí, o con Atrás en un mando.",
	},
}

// WordsOf returns the words in a language, such as "de". If there are none, it returns the English words.
func WordsOf(language string) *AskWords {
	if w := askWords[language]; w != nil {
		return w
	}
	return askWords["en"]
}

// With returns a sentence with a value in place of %s.
func With(sentence, value string) string { return fmt.Sprintf(sentence, value) }
