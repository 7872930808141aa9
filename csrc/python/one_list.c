/* rankspec._one_list: a measure of one plain list, for as little as its value costs.
 *
 * Of ten labels the core makes a value in a quarter of a microsecond. A method of Python, bytes made
 * of the labels and the call by cffi take four times as long, so the call stands here: it computes
 * nothing, and hands the same bytes to the same function of the core.
 *
 * It takes one list whose items are exactly ints or bools, from 0 to 255, and no longer than the
 * measure has been prepared for. So no code of others runs while the list is read, and nothing
 * changes it. For anything else, and where the core has no value, it calls what Python has
 * otherwise, with the same arguments: that has the errors, the conventions and the reference.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef Py_GIL_DISABLED
#error "rankspec._one_list reads lists under the lock of the interpreter, and this one has none"
#endif

enum { MOST_LABELS = 1024, MOST_BYTE = 255 };

/* rs_value_of_list() of binding.h, for which an rs_measure is an address here. */
typedef double value_of_list(const void *measure, const uint8_t *labels, int64_t n);

/* A measure, ready to be called. keep: what it points to; otherwise: what is called for all else;
 * name, text: of the method, which points to them. */
typedef struct {
    PyObject_HEAD
    value_of_list *value;
    const void *measure;
    Py_ssize_t longest; /* below 0: it takes no list any more */
    PyObject *keep, *otherwise, *name, *text;
    PyMethodDef method;
} prepared;

static PyTypeObject *prepared_type;

/* ---- the call ----------------------------------------------------------------------- */

/* The labels of a plain list as bytes; false: it is none. Of such items nothing raises. */
static bool read_labels(PyObject *list, Py_ssize_t n, uint8_t *labels)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (!PyLong_CheckExact(item) && !PyBool_Check(item))
            return false;
        int beyond;
        long label = PyLong_AsLongAndOverflow(item, &beyond); /* -1 beyond a long */
        if (label < 0 || label > MOST_BYTE)
            return false;
        labels[i] = (uint8_t)label;
    }
    return true;
}

/* The value of what was given; false: the core has none, or it is no plain list. */
static bool value_of(const prepared *x, PyObject *given, double *value)
{
    uint8_t labels[MOST_LABELS];
    if (!PyList_CheckExact(given))
        return false;
    Py_ssize_t n = PyList_Size(given);
    if (n > x->longest || !read_labels(given, n, labels))
        return false;
    *value = x->value(x->measure, labels, n);
    return *value == *value; /* no NaN */
}

/* Arguments by place, and by name, as a function of Python takes them. */
static PyObject *call_otherwise(const prepared *x, PyObject *const *given, Py_ssize_t n,
                                PyObject *names)
{
    if (!x->otherwise) {
        PyErr_SetString(PyExc_RuntimeError, "the measure has been collected");
        return NULL;
    }
    Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    PyObject *by_place = PyTuple_New(n), *by_name = named ? PyDict_New() : NULL, *found = NULL;
    bool made = by_place && (by_name || !named);
    for (Py_ssize_t i = 0; made && i < n; i++)
        made = PyTuple_SetItem(by_place, i, Py_NewRef(given[i])) == 0;
    for (Py_ssize_t i = 0; made && i < named; i++)
        made = PyDict_SetItem(by_name, PyTuple_GetItem(names, i), given[n + i]) == 0;
    if (made)
        found = PyObject_Call(x->otherwise, by_place, by_name);
    Py_XDECREF(by_place);
    Py_XDECREF(by_name);
    return found;
}

static PyObject *of(PyObject *self, PyObject *const *given, Py_ssize_t n, PyObject *names)
{
    const prepared *x = (const prepared *)self;
    double value;
    if (n == 1 && !names && value_of(x, given[0], &value))
        return PyFloat_FromDouble(value);
    return call_otherwise(x, given, n, names);
}

/* ---- the object --------------------------------------------------------------------- */

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    prepared *x = (prepared *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(x->keep);
    Py_VISIT(x->otherwise);
    return 0;
}

/* The measure goes with what it points to; who still has the method is told so. */
static int clear(PyObject *self)
{
    prepared *x = (prepared *)self;
    x->longest = -1;
    Py_CLEAR(x->keep);
    Py_CLEAR(x->otherwise);
    return 0;
}

static void deallocate(PyObject *self)
{
    prepared *x = (prepared *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    clear(self);
    Py_CLEAR(x->name);
    Py_CLEAR(x->text);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* What is pickled: the object whose method is called otherwise, which has one of that name. */
static PyObject *reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    const prepared *x = (const prepared *)self;
    PyObject *builtins = PyImport_ImportModule("builtins");
    PyObject *getattr = builtins ? PyObject_GetAttrString(builtins, "getattr") : NULL;
    Py_XDECREF(builtins);
    return Py_BuildValue("N(Os)", getattr, x->otherwise ? x->otherwise : Py_None, "__self__");
}

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_traverse, traverse}, {Py_tp_clear, clear}, {Py_tp_dealloc, deallocate},
    {Py_tp_methods, methods},   {0, NULL},
};

static PyType_Spec spec = {
    .name = "rankspec._one_list.prepared",
    .basicsize = sizeof(prepared),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

/* ---- the module --------------------------------------------------------------------- */

static const char method_doc[] =
    "method(value, measure, longest, keep, otherwise, name, text) -> the method of a measure\n\n"
    "value, measure: the addresses of rs_value_of_list() and of an rs_measure for lists of at most\n"
    "so many labels; keep: what must live as long; otherwise: what is called for any other list;\n"
    "name, text: of the method, the text with its signature as CPython has it.";

static PyObject *make_method(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned long long value, measure;
    Py_ssize_t longest;
    PyObject *keep, *otherwise, *name, *text;
    if (!PyArg_ParseTuple(args, "KKnOOUU", &value, &measure, &longest, &keep, &otherwise, &name,
                          &text))
        return NULL;
    const char *written = PyUnicode_AsUTF8AndSize(name, NULL);
    const char *doc = written ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    if (!doc)
        return NULL;
    prepared *x = (prepared *)PyType_GenericAlloc(prepared_type, 0);
    if (!x)
        return NULL;
    x->value = (value_of_list *)(uintptr_t)value;
    x->measure = (const void *)(uintptr_t)measure;
    x->longest = longest < MOST_LABELS ? longest : MOST_LABELS;
    x->keep = Py_NewRef(keep);
    x->otherwise = Py_NewRef(otherwise);
    x->name = Py_NewRef(name);
    x->text = Py_NewRef(text);
    x->method = (PyMethodDef){written, (PyCFunction)(void (*)(void))of,
                              METH_FASTCALL | METH_KEYWORDS, doc};
    PyObject *made = PyCFunction_NewEx(&x->method, (PyObject *)x, NULL);
    Py_DECREF(x);
    return made;
}

static PyMethodDef functions[] = {
    {"method", make_method, METH_VARARGS, method_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "rankspec._one_list",
    .m_doc = "A measure of one plain list, for as little as its value costs.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__one_list(void)
{
    PyObject *module = PyModule_Create(&definition);
    prepared_type = module ? (PyTypeObject *)PyType_FromSpec(&spec) : NULL;
    if (!prepared_type) {
        Py_XDECREF(module);
        return NULL;
    }
    return module;
}
