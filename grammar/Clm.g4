// The grammar of `.clm` files. LANGUAGE.md gives every rule its meaning and its id.
//
// Keywords are contextual. The words of `word` are ordinary names wherever a name can stand; only `true false if then
// else and or not` are reserved. Where a statement begins, a keyword followed by `=`, `.` or `[` is a name as well
// (`state = 3;` assigns): the token checks turn it into a NAME before the parser runs, which keeps every statement
// LL(1) and its errors precise.
//
// The lexer sees bytes, all of those above 0x7F folded into 0x01: offsets of tokens are byte offsets.
grammar Clm;

file
  : item* EOF
  ;

item
  : importItem
  | PRIVATE? (callable | method | let)
  | model
  ;

importItem
  : IMPORT importPath (',' importPath)* ';'
  ;

importPath
  : PATH
  | name ('.' name)*
  ;

// Declarations. Every header is a rule of its own, so that an error in it leaves the body readable.

callable
  : kind=(LAYER | NETWORK | FUNCTION) callableHeader callableBody
  ;

// A layer that a task owns.
layer
  : LAYER callableHeader callableBody
  ;

callableHeader
  : name indices? parameters parameters? ('->' type)?
  ;

callableBody
  : block (derivative ';')?
  | '=' expression derivative? ';'
  ;

derivative
  : DERIVATIVE '(' name ',' name ')' '->' expression (',' expression)*
  ;

parameters
  : '(' (parameter (',' parameter)*)? ')'
  ;

parameter
  : name (':' type)? ('=' expression)?
  ;

method
  : methodHeader block
  ;

methodHeader
  : METHOD name parameters? ON name (':' name)?
  ;

model
  : modelHeader settingBlock
  ;

modelHeader
  : MODEL name?
  ;

type
  : name ('[' (axis (',' axis)*)? ']' | '(' expression ')')?
  ;

axis
  : '...'
  | expression
  ;

indices
  : '[' generator (',' generator)* ']'
  ;

generator
  : name IN expression
  ;

// `for a in x, b in y`
generators
  : FOR generator (',' generator)*
  ;

block
  : '{' statement* '}'
  ;

settingBlock
  : '{' (keywordStatement | setting)* '}'
  ;

// Statements. Which of them may stand where is decided after parsing, with a better message than a parser can give.

statement
  : keywordStatement
  | assignment
  ;

keywordStatement
  : returnStatement
  | let
  | site
  | variable
  | head
  | norm
  | scope
  | layer
  | schedule
  | maskRule
  | attendRule
  | gradientRule
  | clipRule
  | clampRule
  | freezeRule
  | loss
  | predict
  | hook
  | memory
  | pretrained
  | train
  | forStatement
  ;

returnStatement
  : RETURN expression ';'
  ;

let
  : LET name indices? (':' type)? '=' expression ';'
  ;

site
  : SITE name (':' type)? '=' expression ';'
  ;

variable
  : kind=(PARAM | STATE | TOKEN | NOISE) name indices? (':' type)? ('~' expression)? ('=' expression)? ';'
  ;

head
  : HEAD name '=' expression ';'
  ;

norm
  : NORM name indices? ';'
  ;

scope
  : (PER TASK | SHARED | AUXILIARY) block
  ;

schedule
  : SCHEDULE name '=' operation (AT EVAL expression)? ';'
  ;

maskRule
  : MASK expression BY expression generators? ';'
  ;

attendRule
  : ATTEND expression '->' attended (',' attended)* ';'
  ;

attended
  : expression (FOR generator)?
  ;

gradientRule
  : GRADIENT (generator | expression) BY expression ';'
  ;

clipRule
  : CLIP name expression (OVER expression (',' expression)*)? ';'
  ;

clampRule
  : CLAMP expression TO '[' expression ',' expression ']' ';'
  ;

freezeRule
  : kind=(FREEZE | THAW | REINIT) expression (OVER expression)? generators? ';'
  ;

loss
  : LOSS (name '=')? expression (OVER expression (',' expression)*)? ';'
  ;

predict
  : PREDICT name '=' expression ';'
  ;

hook
  : (BEFORE | AFTER) TASK block
  ;

memory
  : MEMORY expression settingBlock
  ;

pretrained
  : PRETRAINED expression FROM expression ';'
  ;

train
  : (TRAIN | PHASE name) settingBlock
  ;

forStatement
  : FOR generator block
  ;

assignment
  : NAME suffix* '=' expression ';'
  ;

// `early_stop;`, `plateau(lr, factor = 3);`, `epochs 60;`, `balanced per class;`, `for loss task;`, `net = mlp();`
setting
  : NAME settingTail ';'
  | FOR LOSS name (',' name)* ';'
  ;

settingTail
  : suffix* '=' expression
  | arguments
  | settingWords
  | expression (',' expression)*
  |
  ;

settingWords
  : name name+
  ;

// Expressions.

expression
  : operation (range='..' operation?)? evaluation?
  | range='..' operation? evaluation?
  ;

evaluation
  : AT operation (IN evaluationMode)?
  | IN evaluationMode
  ;

evaluationMode
  : TRAIN
  | EVAL
  ;

operation
  : primary suffixOrCall*
  | op='-' operation
  | operation op=('*' | '/' | '@') operation
  | operation op=('+' | '-') operation
  | operation op=('<' | '<=' | '>' | '>=' | '==' | '!=') operation
  | op=NOT operation
  | operation op=AND operation
  | operation op=OR operation
  | op=IF expression THEN expression ELSE operation
  ;

suffixOrCall
  : suffix
  | arguments
  ;

suffix
  : '.' name
  | '[' expression (',' expression)* ']'
  ;

arguments
  : '(' (argument (',' argument)* generators?)? ')'
  ;

// Positional arguments after `over` are further axes: `sum(x over a, b)`.
argument
  : (name '=')? expression (OVER expression)?
  ;

primary
  : INTEGER
  | REAL
  | STRING
  | TRUE
  | FALSE
  | '(' expression (OVER expression (',' expression)*)? ')'
  | '[' (expression (',' expression)*)? ']'
  | FOR generator '{' expression '}'
  | name
  ;

name
  : NAME
  | IMPORT | PRIVATE | LAYER | NETWORK | FUNCTION | METHOD | MODEL | DERIVATIVE | ON | RETURN | LET | SITE | PARAM
  | STATE | TOKEN | NOISE | HEAD | NORM | PER | TASK | SHARED | AUXILIARY | SCHEDULE | MASK | ATTEND | GRADIENT | CLIP
  | CLAMP | FREEZE | THAW | REINIT | LOSS | PREDICT | BEFORE | AFTER | MEMORY | PRETRAINED | FROM | TRAIN | PHASE | FOR
  | BY | TO | AT | IN | OVER | EVAL
  ;

// Words.

IMPORT : 'import';
PRIVATE : 'private';
LAYER : 'layer';
NETWORK : 'network';
FUNCTION : 'function';
METHOD : 'method';
MODEL : 'model';
DERIVATIVE : 'derivative';
ON : 'on';
RETURN : 'return';
LET : 'let';
SITE : 'site';
PARAM : 'param';
STATE : 'state';
TOKEN : 'token';
NOISE : 'noise';
HEAD : 'head';
NORM : 'norm';
PER : 'per';
TASK : 'task';
SHARED : 'shared';
AUXILIARY : 'auxiliary';
SCHEDULE : 'schedule';
MASK : 'mask';
ATTEND : 'attend';
GRADIENT : 'gradient';
CLIP : 'clip';
CLAMP : 'clamp';
FREEZE : 'freeze';
THAW : 'thaw';
REINIT : 'reinit';
LOSS : 'loss';
PREDICT : 'predict';
BEFORE : 'before';
AFTER : 'after';
MEMORY : 'memory';
PRETRAINED : 'pretrained';
FROM : 'from';
TRAIN : 'train';
PHASE : 'phase';
FOR : 'for';
BY : 'by';
TO : 'to';
AT : 'at';
IN : 'in';
OVER : 'over';
EVAL : 'eval';

TRUE : 'true';
FALSE : 'false';
IF : 'if';
THEN : 'then';
ELSE : 'else';
AND : 'and';
OR : 'or';
NOT : 'not';

OPEN_PARENTHESIS : '(';
CLOSE_PARENTHESIS : ')';
OPEN_BRACKET : '[';
CLOSE_BRACKET : ']';
OPEN_BRACE : '{';
CLOSE_BRACE : '}';
COMMA : ',';
SEMICOLON : ';';
COLON : ':';
DOT : '.';
RANGE : '..';
ELLIPSIS : '...';
ARROW : '->';
ASSIGN : '=';
DISTRIBUTED : '~';
PLUS : '+';
MINUS : '-';
TIMES : '*';
DIVIDE : '/';
CONTRACT : '@';
LESS : '<';
LESS_EQUAL : '<=';
GREATER : '>';
GREATER_EQUAL : '>=';
EQUAL : '==';
NOT_EQUAL : '!=';

NAME : [A-Za-z_] [A-Za-z0-9_]*;

INTEGER : [0-9]+;
REAL : [0-9]+ '.' [0-9]+ EXPONENT? | [0-9]+ EXPONENT;
fragment EXPONENT : [eE] [+-]? [0-9]+;

STRING : '"' (~["\\\r\n] | '\\' ~[\r\n])* '"';
UNTERMINATED_STRING : '"' (~["\\\r\n] | '\\' ~[\r\n])* '\\'?;

// A file to import, relative to the importing one.
PATH : ('./' | '../') [A-Za-z0-9_./-]*;

LINE_COMMENT : '//' ~[\n]* -> skip;
BLOCK_COMMENT : '/*' .*? '*/' -> skip;
UNTERMINATED_COMMENT : '/*' (~'*' | '*'+ ~[*/])* '*'*;
BLANK : [ \t\r\n]+ -> skip;

UNKNOWN : '\u0001'+ | .;
