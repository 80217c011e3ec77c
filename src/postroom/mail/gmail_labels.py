"""Labels as exports of Gmail spell them, in the account's language, as our canonical ones."""

from __future__ import annotations

from collections.abc import Iterable

from postroom.mail.sentences import tokens
from postroom.nouns.providers import DRAFT, INBOX, SENT, SPAM, TRASH

_NAMES = {
    INBOX: "inbox;posteingang;boîte de réception;bandeja de entrada;recibidos;posta in arrivo;postvak in;inkomend"
    ";caixa de entrada;entrada;odebrane;skrzynka odbiorcza;inkorg;inkorgen;indbakke;innboks"
    ";saapuneet;doručená pošta;beérkező levelek;mesaje primite;gelen kutusu;εισερχόμενα;входящие;вхідні"
    ";受信トレイ;收件箱;收件匣;받은편지함",
    SPAM: "spam;junk;junk e mail;courrier indésirable;pourriels;correo no deseado;posta indesiderata;ongewenst"
    ";ongewenste e mail;lixo eletrónico;lixo eletrônico;niechciane;skräppost;uønsket mail;uønsket post"
    ";pourriel;roskaposti;ανεπιθύμητα;спам;迷惑メール;垃圾邮件;垃圾郵件;스팸함",
    TRASH: "trash;bin;deleted;deleted items;papierkorb;gelöscht;gelöschte elemente;corbeille;éléments supprimés"
    ";papelera;eliminados;cestino;posta eliminata;prullenbak;verwijderde items;lixo;lixeira;reciclagem;kosz"
    ";elementy usunięte;papperskorg;papperskorgen;borttaget;papirkurv;slettet post"
    ";roskakori;koš;kuka;coș de gunoi;çöp kutusu;κάδος απορριμμάτων;корзина;кошик;ゴミ箱;已删除邮件;垃圾桶;휴지통",
    SENT: "sent;sent mail;sent items;gesendet;gesendete objekte;gesendete elemente;messages envoyés;envoyés"
    ";éléments envoyés;enviado;enviados;inviati;posta inviata;verzonden;verzonden items;mensagens enviadas"
    ";e mails enviados;wysłane;elementy wysłane;skickat;skickade;sendt;sendt post;sendte"
    ";lähetetyt;odeslaná pošta;elküldött levelek;mesaje trimise;gönderilmiş postalar;απεσταλμένα;отправленные"
    ";надіслані;送信済みメール;已发邮件;寄件備份;보낸편지함",
    DRAFT: "draft;drafts;entwürfe;entwurf;brouillon;brouillons;borrador;borradores;bozza;bozze;concept;concepten"
    ";rascunho;rascunhos;wersja robocza;wersje robocze;robocze;szkice;utkast;kladde;kladder"
    ";luonnokset;koncepty;piszkozatok;mesaje nefinalizate;taslaklar;πρόχειρα;черновики;чернетки;下書き;草稿"
    ";임시보관함",
}
_CANONICAL = {tokens(name): label for label, names in _NAMES.items() for name in names.split(";")}


def canonical(labels: Iterable[str]) -> frozenset[str]:
    """Others stay as they are; none at all means the inbox."""
    named = [bare for label in labels if (bare := label.strip().strip('"').strip())]
    return frozenset(_CANONICAL.get(tokens(label), label) for label in named) or frozenset({INBOX})
